-- audit/path_start.sql: all combinations at the root, where nothing is asked.
--
-- in:      ppdt_path_unit (unit_id)
-- out:     ppdt_on_path (unit_id, node_id, shared_id)
--          one row per combination
SELECT unit_id, CAST(0 AS INTEGER) AS node_id, CAST(0 AS BIGINT) AS shared_id
FROM ppdt_path_unit;
