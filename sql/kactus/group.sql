-- kactus/group.sql: how many rows every group holds.
--
-- in:      nothing
-- out:     ppdt_group (group_id, n_rows)
--          one row per group
-- params:  $group_ids, $sizes
SELECT
    unnest(CAST($group_ids AS INTEGER[])) AS group_id,
    unnest(CAST($sizes AS BIGINT[])) AS n_rows;
