-- learn/trees/ended.sql: the classes of the units of every walk, by where it ended.
--
-- in:      ppdt_arrived (walk_id, node_id, branch, target, weight)
-- out:     ppdt_ended (walk_id, node_id, branch, target, weight)
--          one row per (walk_id, node_id, branch, target) of the last round
-- params:  $first_walk
SELECT walk_id, node_id, branch, target, CAST(sum(weight) AS BIGINT) AS weight
FROM ppdt_arrived
WHERE walk_id >= $first_walk
GROUP BY walk_id, node_id, branch, target
ORDER BY walk_id ASC, node_id ASC, branch ASC NULLS FIRST, target ASC;
