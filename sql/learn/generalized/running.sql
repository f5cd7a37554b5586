-- learn/generalized/running.sql: for every code of an attribute with ranges that is tried, how pure the two sides of
-- a cut there are.
--
-- in:      ppdt_event (node_id, attribute_id, code, target, weight, change); ppdt_count (node_id, target);
--          ppdt_stop (node_id, attribute_id, at_code, next_code, n_codes)
-- out:     ppdt_running (node_id, attribute_id, at_code, next_code, weight_left, side_sum, n_codes)
--          one row per (node_id, attribute_id, at_code)
-- keeps:   side_sum is the sum of n log2 n over the classes of both sides
WITH change AS (
    SELECT node_id, attribute_id, target, code, change AS rate,
        weight + CAST(change AS HUGEINT) * (1 - code) AS base,
        CAST(NULL AS INTEGER) AS next_code, CAST(NULL AS BIGINT) AS n_codes
    FROM ppdt_event
    WHERE code > 0
    UNION ALL
    SELECT stop.node_id, stop.attribute_id, class.target, stop.at_code, 0, 0, stop.next_code, stop.n_codes
    FROM ppdt_stop AS stop
    INNER JOIN ppdt_count AS class ON class.node_id = stop.node_id
),

class AS (
    SELECT node_id, attribute_id, code AS at_code, next_code, n_codes,
        CAST(sum(base) OVER up + code * sum(rate) OVER up AS BIGINT) AS weight_left,
        CAST(sum(base) OVER whole AS BIGINT) AS weight
    FROM change
    WINDOW
        up AS (PARTITION BY node_id, attribute_id, target ORDER BY code ASC),
        whole AS (PARTITION BY node_id, attribute_id, target)
),

side AS (
    SELECT node_id, attribute_id, at_code, next_code, n_codes, weight_left,
        weight - weight_left AS weight_right
    FROM class
    WHERE n_codes IS NOT NULL
)

SELECT
    node_id, attribute_id, at_code, next_code,
    CAST(sum(weight_left) AS BIGINT) AS weight_left,
    sum({{ xlog("weight_left" | ident) }}
        + {{ xlog("weight_right" | ident) }}) AS side_sum,
    n_codes
FROM side
GROUP BY node_id, attribute_id, at_code, next_code, n_codes;
