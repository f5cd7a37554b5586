-- methods/mondrian/tried.sql: the nodes still without a cut, without the attribute that was tried on them.
--
-- in:      ppdt_node (node_id, n_rows, width_<i>); ppdt_pick (node_id, attribute_id); ppdt_cut (node_id)
-- out:     ppdt_tried (node_id, n_rows, width_<i>)
--          one row per node that was tried and got no cut
-- keeps:   the width is -1 of what was tried
SELECT
    node.node_id,
    node.n_rows,
{% for attribute in attributes %}
    CASE WHEN pick.attribute_id = {{ attribute.position | literal }} THEN -1 ELSE node.{{ attribute.width }} END AS {{ attribute.width }}{{ comma(loop) }}
{% endfor %}
FROM ppdt_node AS node
ANTI JOIN ppdt_cut AS cut ON cut.node_id = node.node_id
INNER JOIN ppdt_pick AS pick ON pick.node_id = node.node_id;
