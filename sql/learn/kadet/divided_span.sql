-- learn/kadet/divided_span.sql: the spans that are no more, since the last division has parted them.
--
-- in:      ppdt_fresh_span (from_id)
-- out:     ppdt_divided_span (span_id)
--          one row per span
SELECT from_id AS span_id
FROM ppdt_fresh_span
GROUP BY from_id;
