-- mondrian/both_sides.sql: how far both sides of every allowed cut reach in every attribute.
--
-- in:      ppdt_slice (node_id, attribute_id, until_code, hi_<o>, finite_<o>, codes_<c>);
--          ppdt_allowed (node_id, attribute_id, at_code, n_rows_left, n_rows_right)
-- out:     ppdt_side (node_id, attribute_id, at_code, is_right, n_rows, hi_<o>, finite_<o>, n_values_<c>)
--          one row per (node_id, attribute_id, at_code, is_right)
WITH running AS (
{% for side in ("left", "right") %}
    SELECT
        node_id,
        attribute_id,
        until_code,
        {{ (side == "right") | literal }} AS is_right,
{% for attribute in attributes %}
{% if attribute.kind == "ordered" %}
        max({{ ("hi_%d" % attribute.position) | ident }}) OVER {{ ("side_%s" % side) | ident }} AS {{ ("hi_%d" % attribute.position) | ident }},
        min({{ ("finite_%d" % attribute.position) | ident }}) OVER {{ ("side_%s" % side) | ident }} AS {{ ("finite_%d" % attribute.position) | ident }}{% if not loop.last %},{% endif %}

{% elif attribute.has_hierarchy %}
        min({{ ("lo_%d" % attribute.position) | ident }}) OVER {{ ("side_%s" % side) | ident }} AS {{ ("lo_%d" % attribute.position) | ident }},
        max({{ ("hi_%d" % attribute.position) | ident }}) OVER {{ ("side_%s" % side) | ident }} AS {{ ("hi_%d" % attribute.position) | ident }}{% if not loop.last %},{% endif %}

{% else %}
        bit_or({{ ("codes_%d" % attribute.position) | ident }}) OVER {{ ("side_%s" % side) | ident }} AS {{ ("codes_%d" % attribute.position) | ident }}{% if not loop.last %},{% endif %}

{% endif %}
{% endfor %}
    FROM ppdt_slice
    WINDOW {{ ("side_%s" % side) | ident }} AS (
        PARTITION BY node_id, attribute_id
        ORDER BY until_code ASC
        ROWS BETWEEN {% if side == "left" %}UNBOUNDED PRECEDING AND CURRENT ROW{% else %}1 FOLLOWING AND UNBOUNDED FOLLOWING{% endif %}

    )
    {% if side == "left" %}UNION ALL{% endif %}
{% endfor %}
)

SELECT
    allowed.node_id,
    allowed.attribute_id,
    allowed.at_code,
    running.is_right,
    CASE WHEN running.is_right THEN allowed.n_rows_right ELSE allowed.n_rows_left END AS n_rows,
{% for attribute in attributes %}
{% if attribute.kind == "ordered" %}
    running.{{ ("hi_%d" % attribute.position) | ident }},
    running.{{ ("finite_%d" % attribute.position) | ident }}{% if not loop.last %},{% endif %}

{% elif attribute.has_hierarchy %}
    running.{{ ("lo_%d" % attribute.position) | ident }},
    running.{{ ("hi_%d" % attribute.position) | ident }}{% if not loop.last %},{% endif %}

{% else %}
    bit_count(running.{{ ("codes_%d" % attribute.position) | ident }}) AS {{ ("n_values_%d" % attribute.position) | ident }}{% if not loop.last %},{% endif %}

{% endif %}
{% endfor %}
FROM running
INNER JOIN ppdt_allowed AS allowed
    ON allowed.node_id = running.node_id
    AND allowed.attribute_id = running.attribute_id
    AND allowed.at_code = running.until_code;
