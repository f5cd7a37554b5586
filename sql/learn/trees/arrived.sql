-- learn/trees/arrived.sql: the units whose walk has ended.
--
-- in:      ppdt_walk (walk_id, node_id, branch, is_arrived, unit_id, target, weight)
-- out:     ppdt_arrived (walk_id, node_id, branch, unit_id, target, weight)
--          one row per unit of a walk and the leaf where it ended
SELECT walk_id, node_id, branch, unit_id, target, weight
FROM ppdt_walk
WHERE is_arrived;
