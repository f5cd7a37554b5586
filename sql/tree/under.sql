-- tree/under.sql: which units walk, and from where: those that rest under a node that a branch might
-- replace walk down that branch.
--
-- in:      nothing
-- out:     ppdt_under (rest_id, walk_id, start_id, is_newcomer)
--          one row per (rest_id, walk_id)
-- params:  $rest_ids, $walk_ids, $start_ids, $newcomers
SELECT
    unnest(CAST($rest_ids AS INTEGER[])) AS rest_id,
    unnest(CAST($walk_ids AS INTEGER[])) AS walk_id,
    unnest(CAST($start_ids AS INTEGER[])) AS start_id,
    unnest(CAST($newcomers AS BOOLEAN[])) AS is_newcomer;
