-- kactus/outcome.sql: the classes that the released pools become.
--
-- in:      nothing
-- out:     ppdt_outcome (pool_id, class_id)
--          one row per released pool
-- params:  $pool_ids, $class_ids
SELECT
    unnest(CAST($pool_ids AS INTEGER[])) AS pool_id,
    unnest(CAST($class_ids AS INTEGER[])) AS class_id;
