-- mondrian/widest.sql: for each node without a cut, the widest attribute not yet tried.
--
-- in:      ppdt_node (node_id, n_rows, tried, width_<i>)
-- out:     ppdt_pick (node_id, n_rows, attribute_id, width)
--          one row per node that has such an attribute
-- keeps:   equal widths: the attribute that comes first
WITH untried AS (
    SELECT
        node_id,
        n_rows,
{% for attribute in attributes %}
        CASE
            WHEN (tried >> {{ attribute.position | literal }}) & 1 = 1 THEN -1
            ELSE {{ ("width_%d" % attribute.position) | ident }}
        END AS {{ ("width_%d" % attribute.position) | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
    FROM ppdt_node
),

widest AS (
    SELECT
        node_id,
        n_rows,
        greatest({% for attribute in attributes %}{{ ("width_%d" % attribute.position) | ident }}{% if not loop.last %}, {% endif %}{% endfor %}) AS width,
{% for attribute in attributes %}
        {{ ("width_%d" % attribute.position) | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
    FROM untried
)

SELECT
    node_id,
    n_rows,
    CAST(CASE
{% for attribute in attributes %}
        WHEN {{ ("width_%d" % attribute.position) | ident }} = width THEN {{ attribute.position | literal }}
{% endfor %}
    END AS INTEGER) AS attribute_id,
    width
FROM widest
WHERE width >= 0;
