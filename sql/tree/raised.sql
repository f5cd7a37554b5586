-- tree/raised.sql: the walks that became real, and where those come to rest who found no branch.
--
-- in:      nothing
-- out:     ppdt_raised (walk_id, node_id, branch, rest_id)
--          one row per (walk_id, node_id, branch) that was stuck, and one per walk with NULL
-- params:  $walk_ids, $node_ids, $branches, $rest_ids
SELECT
    unnest(CAST($walk_ids AS INTEGER[])) AS walk_id,
    unnest(CAST($node_ids AS INTEGER[])) AS node_id,
    unnest(CAST($branches AS INTEGER[])) AS branch,
    unnest(CAST($rest_ids AS INTEGER[])) AS rest_id;
