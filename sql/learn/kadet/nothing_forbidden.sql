-- learn/kadet/nothing_forbidden.sql: where nothing is public, nothing is forbidden.
--
-- in:      ppdt_meeting (span_id, node_id)
-- out:     ppdt_nothing_forbidden (node_id, attribute_id, from_code, upto_code)
--          no row
SELECT
    node_id,
    CAST(0 AS INTEGER) AS attribute_id,
    CAST(0 AS INTEGER) AS from_code,
    CAST(0 AS INTEGER) AS upto_code
FROM ppdt_meeting
WHERE span_id < 0;
