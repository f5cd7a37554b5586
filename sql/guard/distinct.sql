-- guard/distinct.sql: how many entities or sensitive values lie on each side of every candidate.
--
-- in:      ppdt_protected_range (node_id, attribute_id, kind, protected_key, first_code, last_code);
--          ppdt_histogram (node_id, attribute_id, code); ppdt_unit_protected (kind)
-- out:     ppdt_distinct (node_id, attribute_id, at_code, kind, n_left, n_right)
--          one row per (node_id, attribute_id, at_code, kind)
-- keeps:   a protected_key is left of a cut if it first occurs at or below it, right if it last occurs above
WITH event AS (
    SELECT node_id, attribute_id, kind, first_code AS code, 1 AS n_first, 0 AS n_last
    FROM ppdt_protected_range
    UNION ALL
    SELECT node_id, attribute_id, kind, last_code AS code, 0 AS n_first, 1 AS n_last
    FROM ppdt_protected_range
    UNION ALL
    SELECT histogram.node_id, histogram.attribute_id, axis.kind, histogram.code, 0, 0
    FROM ppdt_histogram AS histogram
    CROSS JOIN (SELECT DISTINCT kind FROM ppdt_unit_protected) AS axis
),

summed AS (
    SELECT
        node_id, attribute_id, kind, code,
        sum(n_first) AS n_first,
        sum(n_last) AS n_last
    FROM event
    GROUP BY node_id, attribute_id, kind, code
)

SELECT
    node_id,
    attribute_id,
    code AS at_code,
    kind,
    CAST(sum(n_first) OVER (
        PARTITION BY node_id, attribute_id, kind ORDER BY code ASC
    ) AS BIGINT) AS n_left,
    CAST(sum(n_last) OVER (PARTITION BY node_id, attribute_id, kind)
    - sum(n_last) OVER (
        PARTITION BY node_id, attribute_id, kind ORDER BY code ASC
    ) AS BIGINT) AS n_right
FROM summed;
