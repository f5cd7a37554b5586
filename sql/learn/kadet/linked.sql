-- learn/kadet/linked.sql: the scopes that share a span that may still be divided, for the driver: each with the first.
--
-- in:      ppdt_meeting (span_id, scope_id); ppdt_span_extent (span_id, is_divisible)
-- out:     ppdt_linked (scope_id, first_id)
--          one row per pair
WITH divisible AS (
    SELECT span_id
    FROM ppdt_span_extent
    WHERE is_divisible
    GROUP BY span_id
),

span AS (
    SELECT meeting.span_id, min(meeting.scope_id) AS first_id
    FROM ppdt_meeting AS meeting
    SEMI JOIN divisible ON divisible.span_id = meeting.span_id
    GROUP BY meeting.span_id
)

SELECT meeting.scope_id, span.first_id
FROM ppdt_meeting AS meeting
INNER JOIN span ON span.span_id = meeting.span_id
GROUP BY meeting.scope_id, span.first_id
ORDER BY meeting.scope_id ASC, span.first_id ASC;
