-- methods/mondrian/both_sides.sql: how far both sides of every allowed cut reach in every attribute.
--
-- in:      ppdt_slice (node_id, attribute_id, until_code, hi_<o>, finite_<o>, codes_<c>);
--          ppdt_allowed (node_id, attribute_id, at_code, n_rows_left, n_rows_right)
-- out:     ppdt_side (node_id, attribute_id, at_code, is_right, n_rows, hi_<o>, finite_<o>, n_values_<c>)
--          one row per (node_id, attribute_id, at_code, is_right)
WITH left_side AS (
    SELECT
        node_id,
        attribute_id,
        until_code,
{% include "lib/fragments/side_reach.sql" %}
    FROM ppdt_slice
    WINDOW side AS (
        PARTITION BY node_id, attribute_id
        ORDER BY until_code ASC
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
),

right_side AS (
    SELECT
        node_id,
        attribute_id,
        until_code,
{% include "lib/fragments/side_reach.sql" %}
    FROM ppdt_slice
    WINDOW side AS (
        PARTITION BY node_id, attribute_id
        ORDER BY until_code ASC
        ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
    )
)

{% for side in ("left", "right") %}
SELECT
    allowed.node_id,
    allowed.attribute_id,
    allowed.at_code,
    {{ (side == "right") | literal }} AS is_right,
    allowed.{{ ("n_rows_" ~ side) | ident }} AS n_rows,
{% for attribute in attributes %}
{% if attribute.kind == "ordered" %}
    side.{{ attribute.hi }},
    side.{{ attribute.finite }}{{ comma(loop) }}
{% elif attribute.has_hierarchy %}
    side.{{ attribute.lo }},
    side.{{ attribute.hi }}{{ comma(loop) }}
{% else %}
    bit_count(side.{{ attribute.codes }}) AS {{ attribute.n_values }}{{ comma(loop) }}
{% endif %}
{% endfor %}
FROM {{ (side ~ "_side") | ident }} AS side
INNER JOIN ppdt_allowed AS allowed
    ON allowed.node_id = side.node_id
    AND allowed.attribute_id = side.attribute_id
    AND allowed.at_code = side.until_code
{% if not loop.last %}
UNION ALL
{% endif %}
{% endfor %};
