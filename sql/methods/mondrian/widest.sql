-- methods/mondrian/widest.sql: for each node without a cut, the widest attribute not yet tried.
--
-- in:      ppdt_node (node_id, n_rows, width_<i>)
-- out:     ppdt_pick (node_id, n_rows, attribute_id, width)
--          one row per node that has such an attribute
-- keeps:   equal widths: the attribute that comes first
WITH widest AS (
    SELECT
        node_id,
        n_rows,
        greatest({% for attribute in attributes %}{{ attribute.width }}{{ comma(loop) }}{% endfor %}) AS width,
{% for attribute in attributes %}
        {{ attribute.width }}{{ comma(loop) }}
{% endfor %}
    FROM ppdt_node
)

SELECT
    node_id,
    n_rows,
    CAST(CASE width
{% for attribute in attributes %}
        WHEN {{ attribute.width }} THEN {{ attribute.position | literal }}
{% endfor %}
    END AS INTEGER) AS attribute_id,
    width
FROM widest
WHERE width >= 0;
