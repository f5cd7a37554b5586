-- learn/trees/counts.sql: the classes in every node of a level, for the driver.
--
-- in:      ppdt_count (node_id, target, weight)
-- out:     ppdt_counts (node_id, target, weight)
--          one row per (node_id, target)
SELECT node_id, target, weight
FROM ppdt_count
ORDER BY node_id ASC, target ASC;
