-- learn/kadet/fresh_span.sql: the spans that the last division has made.
--
-- in:      ppdt_population (span_id, from_id, side)
-- out:     ppdt_fresh_span (span_id, from_id, side)
--          one row per span; from_id is the span that was divided
-- params:  $first_span
SELECT span_id, from_id, side
FROM ppdt_population
WHERE span_id >= $first_span
GROUP BY span_id, from_id, side;
