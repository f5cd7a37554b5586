-- learn/kadet/forbidden.sql: what an open node must not test, because a span that reaches it would break.
--
-- in:      ppdt_meeting (span_id, node_id); ppdt_breach (span_id, attribute_id, from_code, upto_code)
-- out:     ppdt_forbidden (node_id, attribute_id, from_code, upto_code)
--          one row per run of codes
SELECT meeting.node_id, breach.attribute_id, breach.from_code, breach.upto_code
FROM ppdt_meeting AS meeting
INNER JOIN ppdt_breach AS breach ON breach.span_id = meeting.span_id
GROUP BY meeting.node_id, breach.attribute_id, breach.from_code, breach.upto_code;
