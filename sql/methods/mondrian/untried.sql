-- methods/mondrian/untried.sql: for each node without a cut, all attributes not yet tried.
--
-- in:      ppdt_node (node_id, n_rows, width_<i>)
-- out:     ppdt_pick (node_id, n_rows, attribute_id, width)
--          one row per such node and attribute
{% for attribute in attributes %}
SELECT
    node_id,
    n_rows,
    CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id,
    {{ attribute.width }} AS width
FROM ppdt_node
WHERE {{ attribute.width }} >= 0
{% if not loop.last %}
UNION ALL
{% endif %}
{% endfor %};
