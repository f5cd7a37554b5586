-- learn/kadet/span_node.sql: which spans reach which open node after the splits of a turn.
--
-- in:      ppdt_population (span_id, from_id, side); ppdt_meeting (span_id, node_id);
--          ppdt_waiting (node_id); ppdt_branch (node_id, branch, child_id)
-- out:     ppdt_span_node (span_id, node_id)
--          one row per span and open node that rows of it may reach
-- keeps:   a span that a public split has divided reaches the child of its side only; where a private
--          attribute was split, or nothing, whoever knows only public ones cannot tell
WITH span AS (
    SELECT span_id, from_id, side
    FROM ppdt_population
    GROUP BY span_id, from_id, side
)

SELECT span.span_id, meeting.node_id
FROM span
INNER JOIN ppdt_meeting AS meeting ON meeting.span_id = span.from_id
SEMI JOIN ppdt_waiting AS waiting ON waiting.node_id = meeting.node_id
UNION ALL
SELECT span.span_id, branch.child_id
FROM span
INNER JOIN ppdt_meeting AS meeting ON meeting.span_id = span.from_id
INNER JOIN ppdt_branch AS branch ON branch.node_id = meeting.node_id
WHERE span.side = -3 OR span.side = branch.branch;
