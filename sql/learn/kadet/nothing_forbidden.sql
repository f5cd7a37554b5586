-- learn/kadet/nothing_forbidden.sql: before any span is looked at, nothing is forbidden.
--
-- in:      ppdt_meeting (scope_id)
-- out:     ppdt_nothing_forbidden (scope_id, attribute_id, from_code, upto_code)
--          no row
SELECT
    scope_id,
    CAST(0 AS INTEGER) AS attribute_id,
    CAST(0 AS INTEGER) AS from_code,
    CAST(0 AS INTEGER) AS upto_code
FROM ppdt_meeting
WHERE scope_id < 0;
