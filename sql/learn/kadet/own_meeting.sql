-- learn/kadet/own_meeting.sql: which span reaches which node, where each node has a span of its own.
--
-- in:      ppdt_splittable (node_id)
-- out:     ppdt_meeting (span_id, node_id)
--          one row per node
SELECT CAST(node_id AS BIGINT) AS span_id, node_id
FROM ppdt_splittable;
