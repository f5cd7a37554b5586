-- methods/mondrian/gain.sql: by how much every allowed cut lowers the weighted entropy of the target.
--
-- in:      ppdt_target (node_id, attribute_id, code, target, n_rows); ppdt_allowed (node_id, attribute_id, at_code)
-- out:     ppdt_gain (node_id, attribute_id, at_code, gain)
--          one row per allowed (node_id, attribute_id, at_code)
-- keeps:   sums of n log2 n are taken in exact decimals, so that their order does not matter
-- paper:   LeFevre, DeWitt, Ramakrishnan 2008, section 3
WITH event AS (
    SELECT node_id, attribute_id, code, target, n_rows FROM ppdt_target
    UNION ALL
    SELECT allowed.node_id, allowed.attribute_id, allowed.at_code, axis.target, 0
    FROM ppdt_allowed AS allowed
    INNER JOIN (SELECT DISTINCT node_id, attribute_id, target FROM ppdt_target) AS axis
        ON axis.node_id = allowed.node_id AND axis.attribute_id = allowed.attribute_id
),

summed AS (
    SELECT node_id, attribute_id, code, target, sum(n_rows) AS n_rows
    FROM event
    GROUP BY node_id, attribute_id, code, target
),

running AS (
    SELECT
        node_id,
        attribute_id,
        code AS at_code,
        CAST(sum(n_rows) OVER (
            PARTITION BY node_id, attribute_id, target ORDER BY code ASC
        ) AS BIGINT) AS n_left,
        CAST(sum(n_rows) OVER (PARTITION BY node_id, attribute_id, target) AS BIGINT) AS n_all
    FROM summed
),

scored AS (
    SELECT
        running.node_id,
        running.attribute_id,
        running.at_code,
        sum(n_left) AS n_left,
        sum(n_all) AS n_all,
        sum(CAST(CASE WHEN n_left > 0 THEN n_left * log2(n_left) ELSE 0 END AS DECIMAL(38, 12)))
        + sum(CAST(
            CASE WHEN n_all > n_left THEN (n_all - n_left) * log2(n_all - n_left) ELSE 0 END
            AS DECIMAL(38, 12))) AS sides,
        sum(CAST(n_all * log2(n_all) AS DECIMAL(38, 12))) AS parent
    FROM running
    INNER JOIN ppdt_allowed AS allowed
        ON allowed.node_id = running.node_id
        AND allowed.attribute_id = running.attribute_id
        AND allowed.at_code = running.at_code
    GROUP BY running.node_id, running.attribute_id, running.at_code
)

SELECT
    node_id,
    attribute_id,
    at_code,
    round((
        n_all * log2(n_all) - n_left * log2(n_left) - (n_all - n_left) * log2(n_all - n_left)
        - CAST(parent - sides AS DOUBLE)
    ) / n_all, 12) AS gain
FROM scored;
