-- mondrian/remaining.sql: how many nodes still look for a cut.
--
-- in:      ppdt_node (node_id)
-- out:     ppdt_remaining (n_nodes)
--          one row
SELECT count(*) AS n_nodes
FROM ppdt_node;
