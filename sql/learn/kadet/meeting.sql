-- learn/kadet/meeting.sql: which spans reach which open node, to begin with: all of them the root.
--
-- in:      ppdt_population (span_id)
-- out:     ppdt_meeting (span_id, node_id)
--          one row per span
SELECT span_id, CAST(0 AS INTEGER) AS node_id
FROM ppdt_population
GROUP BY span_id;
