-- learn/kadet/pairs.sql: the spans and open nodes that meet, for the driver.
--
-- in:      ppdt_meeting (span_id, node_id)
-- out:     ppdt_pairs (span_id, node_id)
--          one row per pair
SELECT span_id, node_id
FROM ppdt_meeting
ORDER BY span_id ASC, node_id ASC;
