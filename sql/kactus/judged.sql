-- kactus/judged.sql: the pools that are judged together, as groups.
--
-- in:      nothing
-- out:     ppdt_judged (pool_id, group_id)
--          one row per pool of a group
-- params:  $pool_ids, $group_ids
SELECT
    unnest(CAST($pool_ids AS INTEGER[])) AS pool_id,
    unnest(CAST($group_ids AS INTEGER[])) AS group_id;
