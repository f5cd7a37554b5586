-- tree/gone.sql: where the units of the walks that became real have rested.
--
-- in:      nothing
-- out:     ppdt_gone (walk_id, rest_id)
--          one row per (walk_id, rest_id)
-- params:  $walk_ids, $rest_ids
SELECT
    unnest(CAST($walk_ids AS INTEGER[])) AS walk_id,
    unnest(CAST($rest_ids AS INTEGER[])) AS rest_id;
