-- learn/trees/cut.sql: the chosen splits of a level, for the driver.
--
-- in:      ppdt_choice (node_id, attribute_id, at_code, next_code)
-- out:     ppdt_cut_rows (node_id, attribute_id, at_code, next_code)
--          one row per node that is split
SELECT node_id, attribute_id, at_code, next_code
FROM ppdt_choice
ORDER BY node_id ASC;
