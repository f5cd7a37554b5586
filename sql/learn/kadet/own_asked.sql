-- learn/kadet/own_asked.sql: the nodes to find a split for, where each node is a scope of its own.
--
-- in:      ppdt_splittable (node_id)
-- out:     ppdt_asked (node_id, scope_id)
--          one row per node
SELECT node_id, node_id AS scope_id
FROM ppdt_splittable;
