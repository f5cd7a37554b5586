-- learn/trees/edge.sql: the branches of a level, for the driver.
--
-- in:      ppdt_branch (node_id, branch, child_id)
-- out:     ppdt_edge (node_id, branch, child_id)
--          one row per branch
SELECT node_id, branch, child_id
FROM ppdt_branch
ORDER BY child_id ASC;
