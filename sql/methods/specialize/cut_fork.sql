-- methods/specialize/cut_fork.sql: on which side of the best cut of its interval every code lies.
--
-- in:      ppdt_best_cut (attribute_id, node_id, left_id, at_code);
--          ppdt_edge (attribute_id, node_id, code)
-- out:     ppdt_fork (attribute_id, node_id, child_id, code)
--          one row per interval and code
SELECT
    edge.attribute_id,
    edge.node_id,
    best_cut.left_id + CAST(edge.code > best_cut.at_code AS INTEGER) AS child_id,
    edge.code
FROM ppdt_edge AS edge
INNER JOIN ppdt_best_cut AS best_cut
    ON best_cut.attribute_id = edge.attribute_id AND best_cut.node_id = edge.node_id;
