-- methods/mondrian/loss.sql: the normalized certainty penalty that the two sides of a cut would have.
--
-- in:      ppdt_side (node_id, attribute_id, at_code, is_right, n_rows, hi_<o>, finite_<o>, n_values_<c>);
--          ppdt_position (position_<o>); ppdt_code_<i> (code, position); ppdt_branch_<i> (lo, hi, share) where there are hierarchies
-- out:     ppdt_loss (node_id, attribute_id, at_code, loss)
--          one row per (node_id, attribute_id, at_code)
-- params:  $k
-- keeps:   with foresight, the loss that is left once a side has been cut down to classes of k rows: its
--          box shrinks to k / n of its volume, each of d edges to the d-th root of that; under
--          a hierarchy half of it goes by how far apart the codes lie, which tells of cuts on the way to a child
WITH penalty AS (
    SELECT
        side.node_id,
        side.attribute_id,
        side.at_code,
        side.n_rows,
{% for attribute in attributes %}
{% if attribute.kind == "ordered" %}
        coalesce(greatest({% with table = "side" %}{% include "lib/fragments/reach.sql" %}{% endwith %}, 0), 0) AS {{ attribute.penalty }}{{ comma(loop) }}
{% elif attribute.has_hierarchy and foresight %}
        ({{ attribute.branch }}.share + CAST(side.{{ attribute.hi }} - side.{{ attribute.lo }} AS DOUBLE) / {{ attribute.n_codes | literal }}) / 2 AS {{ attribute.penalty }}{{ comma(loop) }}
{% elif attribute.has_hierarchy %}
        {{ attribute.branch }}.share AS {{ attribute.penalty }}{{ comma(loop) }}
{% else %}
        CASE
            WHEN side.{{ attribute.n_values }} = 1 THEN 0
            ELSE CAST(side.{{ attribute.n_values }} AS DOUBLE) / {{ attribute.n_codes | literal }}
        END AS {{ attribute.penalty }}{{ comma(loop) }}
{% endif %}
{% endfor %}
    FROM ppdt_side AS side
    {%+ with table = "side" %}{% include "lib/fragments/positions.sql" %}{% endwith %}
{% for attribute in attributes if attribute.has_hierarchy %}
    INNER JOIN {{ attribute.branch_relation }} AS {{ attribute.branch }}
        ON {{ attribute.branch }}.lo = side.{{ attribute.lo }}
        AND {{ attribute.branch }}.hi = side.{{ attribute.hi }}
{% endfor %}
)

SELECT
    node_id,
    attribute_id,
    at_code,
    sum(CAST(
        n_rows * ({% for attribute in attributes %}{{ attribute.penalty }}{% if not loop.last %} + {% endif %}{% endfor %})
{% if foresight %}
        * power(CAST($k AS DOUBLE) / n_rows, 1.0 / {{ attributes | length | literal }})
{% endif %}
        AS DECIMAL(38, 12)
    )) AS loss
FROM penalty
GROUP BY node_id, attribute_id, at_code;
