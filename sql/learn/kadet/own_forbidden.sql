-- learn/kadet/own_forbidden.sql: what a node must not test, where each node has a span of its own.
--
-- in:      ppdt_breach (span_id, attribute_id, from_code, upto_code)
-- out:     ppdt_forbidden (scope_id, attribute_id, from_code, upto_code)
--          one row per run of codes
SELECT CAST(span_id AS INTEGER) AS scope_id, attribute_id, from_code, upto_code
FROM ppdt_breach;
