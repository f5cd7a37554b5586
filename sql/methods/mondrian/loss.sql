-- mondrian/loss.sql: the normalized certainty penalty that the two sides of a cut would have.
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
        {% if not loop.first %}+ {% endif %}coalesce(greatest(
            {% with text = ("side", "hi_%d" % attribute.position) | ident, alias = "high_%d" % attribute.position %}{% include "form/position.sql" %}{% endwith %}

            - {% with text = ("side", "finite_%d" % attribute.position) | ident, alias = "low_%d" % attribute.position %}{% include "form/position.sql" %}{% endwith %}, 0), 0)
{% elif attribute.has_hierarchy %}
        {% if not loop.first %}+ {% endif %}{% if foresight %}({% endif %}{{ ("branch_%d" % attribute.position) | ident }}.share
            {%- if foresight %} + CAST(side.{{ ("hi_%d" % attribute.position) | ident }} - side.{{ ("lo_%d" % attribute.position) | ident }} AS DOUBLE) / {{ attribute.n_codes | literal }}) / 2{% endif %}

{% else %}
        {% if not loop.first %}+ {% endif %}CASE WHEN side.{{ ("n_values_%d" % attribute.position) | ident }} = 1 THEN 0
            ELSE CAST(side.{{ ("n_values_%d" % attribute.position) | ident }} AS DOUBLE) / {{ attribute.n_codes | literal }} END
{% endif %}
{% endfor %}
        AS penalty
    FROM ppdt_side AS side
    {% with table = "side" %}{% include "form/positions.sql" %}{% endwith %}
{% for attribute in attributes if attribute.has_hierarchy %}
    INNER JOIN {{ ("ppdt_branch_%d" % attribute.position) | ident }} AS {{ ("branch_%d" % attribute.position) | ident }}
        ON {{ ("branch_%d" % attribute.position) | ident }}.lo = side.{{ ("lo_%d" % attribute.position) | ident }}
        AND {{ ("branch_%d" % attribute.position) | ident }}.hi = side.{{ ("hi_%d" % attribute.position) | ident }}
{% endfor %}
)

SELECT
    node_id,
    attribute_id,
    at_code,
    sum(CAST(n_rows * penalty
{%- if foresight %} * power(CAST($k AS DOUBLE) / n_rows, 1.0 / {{ attributes | length | literal }}){% endif %} AS DECIMAL(38, 12))) AS loss
FROM penalty
GROUP BY node_id, attribute_id, at_code;
