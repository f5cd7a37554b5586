-- learn/generalized/stop.sql: the codes where a cut of an attribute with ranges can be best. From one code where
-- something changes to the next all classes change evenly, so that no cut between gains more than the two.
--
-- in:      ppdt_event (node_id, attribute_id, code, weight, change, n_ranges);
--          ppdt_known (node_id, attribute_id, weight_known)
-- out:     ppdt_stop (node_id, attribute_id, at_code, next_code, n_codes)
--          one row per (node_id, attribute_id, at_code) to be tried
-- params:  $min_weight, $n_classes
-- keeps:   n_codes adds up to the number of codes with enough on both sides
WITH event AS (
    SELECT node_id, attribute_id, code, sum(weight) AS weight, sum(n_ranges) AS n_ranges,
        sum(change) AS rate, sum(weight + CAST(change AS HUGEINT) * (1 - code)) AS base
    FROM ppdt_event
    WHERE code > 0
    GROUP BY node_id, attribute_id, code
),

running AS (
    SELECT node_id, attribute_id, code, weight,
        lead(code) OVER up AS next_event,
        sum(n_ranges) OVER up AS n_ranges,
        sum(rate) OVER up AS rate,
        sum(base) OVER up AS base
    FROM event
    WINDOW up AS (PARTITION BY node_id, attribute_id ORDER BY code ASC)
),

stretch AS (
    SELECT running.node_id, running.attribute_id, running.code, running.weight, running.rate, running.base,
        CASE WHEN running.n_ranges > 0 THEN running.next_event - 1 ELSE running.code END AS end_code,
        lead(running.code) OVER (
            PARTITION BY running.node_id, running.attribute_id ORDER BY running.code ASC
        ) AS next_code,
        CAST(ceil({% with weight = ("known", "weight_known") | ident %}{% include "lib/fragments/least_side.sql" %}{% endwith %}) AS HUGEINT) AS least_weight,
        known.weight_known
    FROM running
    INNER JOIN ppdt_known AS known
        ON known.node_id = running.node_id AND known.attribute_id = running.attribute_id
    WHERE running.n_ranges > 0 OR running.weight > 0
),

allowed AS (
    SELECT node_id, attribute_id, code, weight, end_code, next_code,
        CASE WHEN rate > 0 THEN greatest(code, CAST(least_weight - base + rate - 1 AS HUGEINT) // rate)
            WHEN base >= least_weight THEN code END AS lo_code,
        CASE WHEN rate > 0 THEN least(end_code, CAST(weight_known - least_weight - base AS HUGEINT) // rate)
            WHEN base <= weight_known - least_weight THEN end_code END AS hi_code
    FROM stretch
),

tried AS (
    SELECT node_id, attribute_id, end_code, next_code, hi_code - lo_code + 1 AS n_codes,
        CASE WHEN lo_code = hi_code OR (weight = 0 AND lo_code = code AND coalesce(lag(hi_code) OVER (
            PARTITION BY node_id, attribute_id ORDER BY code ASC) = code - 1, FALSE))
            THEN [hi_code] ELSE [lo_code, hi_code] END AS at_codes, hi_code
    FROM allowed
    WHERE lo_code <= hi_code
)

SELECT node_id, attribute_id, CAST(at_code AS INTEGER) AS at_code,
    CAST(CASE WHEN at_code < end_code THEN at_code + 1 ELSE next_code END AS INTEGER) AS next_code,
    CAST(CASE WHEN at_code = hi_code THEN n_codes ELSE 0 END AS BIGINT) AS n_codes
FROM (
    SELECT node_id, attribute_id, end_code, next_code, n_codes, hi_code, unnest(at_codes) AS at_code
    FROM tried) AS stop;
