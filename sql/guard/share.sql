-- guard/share.sql: how often each sensitive value occurs on each side of every candidate.
--
-- in:      ppdt_protected_code (node_id, attribute_id, kind, protected_key, code, n_rows);
--          ppdt_candidate (node_id, attribute_id, at_code, n_rows_left, n_rows_right)
-- out:     ppdt_share (node_id, attribute_id, at_code, kind, protected_key, n_left, n_right)
--          one row per candidate that k allows, and sensitive value of the node
-- params:  $k
WITH event AS (
    SELECT node_id, attribute_id, kind, protected_key, code, n_rows, FALSE AS is_candidate
    FROM ppdt_protected_code
    UNION ALL
    SELECT axis.node_id, axis.attribute_id, axis.kind, axis.protected_key, candidate.at_code, 0, TRUE
    FROM ppdt_candidate AS candidate
    INNER JOIN (SELECT DISTINCT node_id, attribute_id, kind, protected_key FROM ppdt_protected_code) AS axis
        ON axis.node_id = candidate.node_id AND axis.attribute_id = candidate.attribute_id
    WHERE least(candidate.n_rows_left, candidate.n_rows_right) >= $k
),

summed AS (
    SELECT
        node_id, attribute_id, kind, protected_key, code,
        sum(n_rows) AS n_rows,
        bool_or(is_candidate) AS is_candidate
    FROM event
    GROUP BY node_id, attribute_id, kind, protected_key, code
),

running AS (
    SELECT
        node_id, attribute_id, kind, protected_key, code, is_candidate,
        CAST(sum(n_rows) OVER (
            PARTITION BY node_id, attribute_id, kind, protected_key ORDER BY code ASC
        ) AS BIGINT) AS n_left,
        CAST(sum(n_rows) OVER (PARTITION BY node_id, attribute_id, kind, protected_key) AS BIGINT) AS n_all
    FROM summed
)

SELECT node_id, attribute_id, code AS at_code, kind, protected_key, n_left, n_all - n_left AS n_right
FROM running
WHERE is_candidate;
