-- methods/node_risk/judged.sql: every node that holds rows, as a group that the guard judges.
--
-- in:      ppdt_node_risk (node_id, n_rows)
-- out:     ppdt_group (group_id, n_rows)
--          one row per node that holds rows
SELECT node_id AS group_id, n_rows
FROM ppdt_node_risk
WHERE n_rows > 0;
