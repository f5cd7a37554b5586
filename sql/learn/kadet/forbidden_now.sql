-- learn/kadet/forbidden_now.sql: what the nodes of a scope must not test, because a span that reaches it would break.
--
-- in:      ppdt_forbidden (scope_id, attribute_id, from_code, upto_code); ppdt_scope (scope_id, is_new);
--          ppdt_meeting (span_id, scope_id); ppdt_breach (span_id, attribute_id, from_code, upto_code)
-- out:     ppdt_forbidden_now (scope_id, attribute_id, from_code, upto_code)
--          one row per run of codes; no two runs touch
-- params:  $first_span
-- keeps:   what was forbidden stays so, since some part of a span that would break breaks as well: of scopes
--          that are not new, only fresh spans are looked at
WITH met AS (
    SELECT meeting.span_id, meeting.scope_id
    FROM ppdt_meeting AS meeting
    INNER JOIN ppdt_scope AS scope ON scope.scope_id = meeting.scope_id
    WHERE scope.is_new OR meeting.span_id >= $first_span
),

breached AS (
    SELECT met.scope_id, breach.attribute_id, breach.from_code, breach.upto_code
    FROM met
    INNER JOIN ppdt_breach AS breach ON breach.span_id = met.span_id
    UNION ALL
    SELECT before.scope_id, before.attribute_id, before.from_code, before.upto_code
    FROM ppdt_forbidden AS before
    SEMI JOIN met ON met.scope_id = before.scope_id
),

reached AS (
    SELECT scope_id, attribute_id, from_code, max(upto_code) AS upto_code,
        max(max(upto_code)) OVER (
            PARTITION BY scope_id, attribute_id ORDER BY from_code ASC
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS upto_before
    FROM breached
    GROUP BY scope_id, attribute_id, from_code
),

run AS (
    SELECT scope_id, attribute_id, from_code, upto_code,
        sum(CASE WHEN upto_before >= from_code THEN 0 ELSE 1 END) OVER (
            PARTITION BY scope_id, attribute_id ORDER BY from_code ASC
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS run_id
    FROM reached
)

SELECT before.scope_id, before.attribute_id, before.from_code, before.upto_code
FROM ppdt_forbidden AS before
SEMI JOIN ppdt_scope AS scope ON scope.scope_id = before.scope_id
ANTI JOIN met ON met.scope_id = before.scope_id
UNION ALL
SELECT scope_id, attribute_id, min(from_code) AS from_code, max(upto_code) AS upto_code
FROM run
GROUP BY scope_id, attribute_id, run_id;
