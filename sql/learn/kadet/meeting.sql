-- learn/kadet/meeting.sql: which spans reach which scope, to begin with: all of them the root's.
--
-- in:      ppdt_population (span_id)
-- out:     ppdt_meeting (span_id, scope_id)
--          one row per span
-- keeps:   a scope is the nodes that have the same tests on public attributes above them: the same spans
--          reach all of them. Its number is that of its first node
SELECT span_id, CAST(0 AS INTEGER) AS scope_id
FROM ppdt_population
GROUP BY span_id;
