-- methods/mondrian/variance_gain.sql: by how much every allowed cut lowers the variance of a numeric target.
--
-- in:      ppdt_target (node_id, attribute_id, code, target, n_rows); ppdt_allowed (node_id, attribute_id, at_code);
--          the target's dictionary (code, position)
-- out:     ppdt_gain (node_id, attribute_id, at_code, gain)
--          one row per allowed (node_id, attribute_id, at_code)
-- keeps:   sums and squares are exact whole numbers, of 2^-30 of the target's range; NULL has no say
WITH event AS (
    SELECT
        target.node_id,
        target.attribute_id,
        target.code,
        target.n_rows AS n_values,
        target.n_rows * CAST(round(dictionary.position * 1073741824) AS HUGEINT) AS total
    FROM ppdt_target AS target
    INNER JOIN {{ target.dictionary | ident }} AS dictionary ON dictionary.code = target.target
    WHERE dictionary.position IS NOT NULL
    UNION ALL
    SELECT node_id, attribute_id, at_code, 0, 0 FROM ppdt_allowed
),

summed AS (
    SELECT node_id, attribute_id, code, sum(n_values) AS n_values, sum(total) AS total
    FROM event
    GROUP BY node_id, attribute_id, code
),

running AS (
    SELECT
        node_id,
        attribute_id,
        code AS at_code,
        CAST(sum(n_values) OVER up AS DOUBLE) AS n_left,
        CAST(sum(total) OVER up AS DOUBLE) / 1073741824 AS total_left,
        CAST(sum(n_values) OVER whole AS DOUBLE) AS n_all,
        CAST(sum(total) OVER whole AS DOUBLE) / 1073741824 AS total_all
    FROM summed
    WINDOW
        up AS (PARTITION BY node_id, attribute_id ORDER BY code ASC),
        whole AS (PARTITION BY node_id, attribute_id)
)

SELECT
    running.node_id,
    running.attribute_id,
    running.at_code,
    round(coalesce(
        power(total_left, 2) / nullif(n_left, 0)
        + power(total_all - total_left, 2) / nullif(n_all - n_left, 0)
        - power(total_all, 2) / nullif(n_all, 0), 0) / nullif(n_all, 0), 12) AS gain
FROM running
INNER JOIN ppdt_allowed AS allowed
    ON allowed.node_id = running.node_id
    AND allowed.attribute_id = running.attribute_id
    AND allowed.at_code = running.at_code;
