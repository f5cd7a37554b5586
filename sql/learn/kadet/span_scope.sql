-- learn/kadet/span_scope.sql: which spans reach which scope after a division.
--
-- in:      ppdt_meeting (span_id, scope_id); ppdt_fresh_span (span_id, from_id, side); ppdt_scope (scope_id);
--          ppdt_division (node_id, scope_id); ppdt_branch (node_id, branch, child_id)
-- out:     ppdt_span_scope (span_id, scope_id)
--          one row per span and scope that rows of it may reach, if the scope still has open nodes
-- keeps:   of the branches of the node that was split, a part reaches the one of its side; elsewhere all
--          parts reach what the whole span did
SELECT meeting.span_id, meeting.scope_id
FROM ppdt_meeting AS meeting
ANTI JOIN ppdt_fresh_span AS fresh ON fresh.from_id = meeting.span_id
INNER JOIN ppdt_scope AS scope ON scope.scope_id = meeting.scope_id
UNION ALL
SELECT fresh.span_id, meeting.scope_id
FROM ppdt_fresh_span AS fresh
INNER JOIN ppdt_meeting AS meeting ON meeting.span_id = fresh.from_id
INNER JOIN ppdt_scope AS scope ON scope.scope_id = meeting.scope_id
UNION ALL
SELECT fresh.span_id, branch.child_id
FROM ppdt_fresh_span AS fresh
INNER JOIN ppdt_meeting AS meeting ON meeting.span_id = fresh.from_id
INNER JOIN ppdt_division AS division ON division.scope_id = meeting.scope_id
INNER JOIN ppdt_branch AS branch ON branch.node_id = division.node_id AND branch.branch = fresh.side
INNER JOIN ppdt_scope AS scope ON scope.scope_id = branch.child_id;
