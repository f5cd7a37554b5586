-- kadet/waiting.sql: the nodes whose turn comes later, since a better split went first.
--
-- in:      nothing
-- out:     ppdt_waiting (node_id)
--          one row per node
-- params:  $node_ids
SELECT unnest(CAST($node_ids AS INTEGER[])) AS node_id;
