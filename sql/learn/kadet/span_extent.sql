-- learn/kadet/span_extent.sql: how far a fresh span reaches on each public attribute, and whether a split may divide
-- it there.
--
-- in:      ppdt_span_count (span_id, attribute_id, code);
--          ppdt_breach (span_id, attribute_id, from_code, upto_code)
-- out:     ppdt_span_extent (span_id, attribute_id, lo_code, hi_code, is_divisible)
--          one row per (span_id, attribute_id)
-- keeps:   what is not divisible is divided by no split that keeps the guarantee
WITH extent AS (
    SELECT span_id, attribute_id, min(code) AS lo_code, max(code) AS hi_code
    FROM ppdt_span_count
    GROUP BY span_id, attribute_id
)

SELECT
    extent.span_id,
    extent.attribute_id,
    extent.lo_code,
    extent.hi_code,
    extent.lo_code < extent.hi_code AND count(breach.span_id) = 0 AS is_divisible
FROM extent
LEFT JOIN ppdt_breach AS breach
    ON breach.span_id = extent.span_id
    AND breach.attribute_id = extent.attribute_id
    AND breach.from_code <= extent.lo_code
    AND breach.upto_code >= extent.hi_code
GROUP BY extent.span_id, extent.attribute_id, extent.lo_code, extent.hi_code;
