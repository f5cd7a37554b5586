-- guard/share.sql: how often each sensitive value occurs on each side of every candidate.
--
-- in:      ppdt_thing_code (node_id, attribute_id, kind, thing, code, n_rows);
--          ppdt_candidate (node_id, attribute_id, at_code, n_rows_left, n_rows_right)
-- out:     ppdt_share (node_id, attribute_id, at_code, kind, thing, n_left, n_right)
--          one row per candidate that k allows, and sensitive value of the node
-- params:  $k
WITH event AS (
    SELECT node_id, attribute_id, kind, thing, code, n_rows, FALSE AS is_candidate
    FROM ppdt_thing_code
    UNION ALL
    SELECT axis.node_id, axis.attribute_id, axis.kind, axis.thing, candidate.at_code, 0, TRUE
    FROM ppdt_candidate AS candidate
    INNER JOIN (SELECT DISTINCT node_id, attribute_id, kind, thing FROM ppdt_thing_code) AS axis
        ON axis.node_id = candidate.node_id AND axis.attribute_id = candidate.attribute_id
    WHERE least(candidate.n_rows_left, candidate.n_rows_right) >= $k
),

summed AS (
    SELECT
        node_id, attribute_id, kind, thing, code,
        sum(n_rows) AS n_rows,
        bool_or(is_candidate) AS is_candidate
    FROM event
    GROUP BY node_id, attribute_id, kind, thing, code
),

running AS (
    SELECT
        node_id, attribute_id, kind, thing, code, is_candidate,
        CAST(sum(n_rows) OVER (
            PARTITION BY node_id, attribute_id, kind, thing ORDER BY code ASC
        ) AS BIGINT) AS n_left,
        CAST(sum(n_rows) OVER (PARTITION BY node_id, attribute_id, kind, thing) AS BIGINT) AS n_all
    FROM summed
)

SELECT node_id, attribute_id, code AS at_code, kind, thing, n_left, n_all - n_left AS n_right
FROM running
WHERE is_candidate;
