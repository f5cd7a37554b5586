-- tree/gone.sql: the nodes that a raised branch has replaced.
--
-- in:      nothing
-- out:     ppdt_gone (rest_id)
--          one row per node
-- params:  $rest_ids
SELECT unnest(CAST($rest_ids AS INTEGER[])) AS rest_id;
