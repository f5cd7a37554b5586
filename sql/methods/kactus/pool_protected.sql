-- methods/kactus/pool_protected.sql: the entities and sensitive values of every pool, with what was lent.
--
-- in:      ppdt_leaf_protected (leaf_id, kind, protected_key, n_rows); ppdt_pool (leaf_id, pool_id);
--          ppdt_lent (row_id, from_id, to_id); ppdt_unit_protected (unit_id, kind, protected_key, n_rows)
-- out:     ppdt_pool_protected (pool_id, kind, protected_key, n_rows)
--          one row per (pool_id, kind, protected_key) that is left
WITH counted AS (
    SELECT pool.pool_id, leaf_protected.kind, leaf_protected.protected_key, leaf_protected.n_rows
    FROM ppdt_leaf_protected AS leaf_protected
    INNER JOIN ppdt_pool AS pool ON pool.leaf_id = leaf_protected.leaf_id
    UNION ALL
    SELECT lent.from_id, unit_protected.kind, unit_protected.protected_key, -unit_protected.n_rows
    FROM ppdt_lent AS lent
    INNER JOIN ppdt_unit_protected AS unit_protected ON unit_protected.unit_id = lent.row_id
    UNION ALL
    SELECT lent.to_id, unit_protected.kind, unit_protected.protected_key, unit_protected.n_rows
    FROM ppdt_lent AS lent
    INNER JOIN ppdt_unit_protected AS unit_protected ON unit_protected.unit_id = lent.row_id
)

SELECT pool_id, kind, protected_key, CAST(sum(n_rows) AS BIGINT) AS n_rows
FROM counted
GROUP BY pool_id, kind, protected_key
HAVING sum(n_rows) > 0;
