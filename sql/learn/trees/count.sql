-- learn/trees/count.sql: the classes in every open node.
--
-- in:      ppdt_growing (node_id, target, weight)
-- out:     ppdt_count (node_id, target, weight)
--          one row per (node_id, target)
SELECT node_id, target, CAST(sum(weight) AS BIGINT) AS weight
FROM ppdt_growing
GROUP BY node_id, target;
