-- methods/node_risk/told.sql: what pruning must know of every node.
--
-- in:      ppdt_node_risk (node_id, n_rows, n_wrong, risk)
-- out:     ppdt_told (n_rows, n_wrong, risk)
--          one row per node, in the nodes' order
SELECT n_rows, n_wrong, risk
FROM ppdt_node_risk
ORDER BY node_id ASC;
