-- methods/kactus/pool_class.sql: the class of the target that most rows of every pool have.
--
-- in:      ppdt_pool (leaf_id, pool_id); ppdt_leaf (cell_id, leaf_id); ppdt_row (row_id, cell_id, target);
--          ppdt_lent (row_id, to_id)
-- out:     ppdt_pool_class (pool_id, target)
--          one row per pool that has rows
-- keeps:   equally frequent: the class that comes first; NULL is a class
WITH held AS (
    SELECT pool.pool_id, placed.target
    FROM ppdt_pool AS pool
    INNER JOIN ppdt_leaf AS leaf ON leaf.leaf_id = pool.leaf_id
    INNER JOIN ppdt_row AS placed ON placed.cell_id = leaf.cell_id
    UNION ALL
    SELECT lent.to_id AS pool_id, placed.target
    FROM ppdt_lent AS lent
    INNER JOIN ppdt_row AS placed ON placed.row_id = lent.row_id
),

counted AS (
    SELECT pool_id, target, count(*) AS n_rows
    FROM held
    GROUP BY pool_id, target
),

ranked AS (
    SELECT
        pool_id,
        target,
        row_number() OVER (PARTITION BY pool_id ORDER BY n_rows DESC, target ASC) AS place
    FROM counted
)

SELECT pool_id, target
FROM ranked
WHERE place = 1;
