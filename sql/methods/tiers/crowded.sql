-- methods/tiers/crowded.sql: the pools in which comparing every small part with every cell would take too long.
--
-- in:      ppdt_needy (part_id, pool_id); ppdt_above (node_id, above_id); ppdt_point (part_id, first_row)
-- out:     ppdt_crowded (pool_id, last_row)
--          one row per pool of more than $most pairs; parts see its cells up to `last_row`
-- params:  $k, $most, $least
-- keeps:   the keys of rows are a draw, so the cells that are seen are one; they are at least 2 $k, of
--          which fewer than $k are the part's own. Which rows are lent changes, not what is kept
WITH pool AS (
    SELECT pool_id, count(*) AS n_parts
    FROM ppdt_needy
    GROUP BY pool_id
),

crowd AS (
    SELECT pool.pool_id, greatest(2 * $k, $least, $most // any_value(pool.n_parts)) AS n_seen
    FROM pool
    INNER JOIN ppdt_above AS above ON above.above_id = pool.pool_id
    INNER JOIN ppdt_point AS point ON point.part_id = above.node_id
    GROUP BY pool.pool_id
    HAVING count(*) * any_value(pool.n_parts) > $most
),

cell AS (
    SELECT crowd.pool_id, crowd.n_seen, point.first_row, row_number() OVER (
        PARTITION BY crowd.pool_id ORDER BY point.first_row ASC
    ) AS place
    FROM crowd
    INNER JOIN ppdt_above AS above ON above.above_id = crowd.pool_id
    INNER JOIN ppdt_point AS point ON point.part_id = above.node_id
)

SELECT pool_id, first_row AS last_row
FROM cell
WHERE place = n_seen;
