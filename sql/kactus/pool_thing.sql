-- kactus/pool_thing.sql: the entities and sensitive values of every pool, with what was lent.
--
-- in:      ppdt_leaf_thing (leaf_id, kind, thing, n_rows); ppdt_pool (leaf_id, pool_id);
--          ppdt_lent (row_id, from_id, to_id); ppdt_unit_thing (unit_id, kind, thing, n_rows)
-- out:     ppdt_pool_thing (pool_id, kind, thing, n_rows)
--          one row per (pool_id, kind, thing) that is left
WITH counted AS (
    SELECT pool.pool_id, leaf_thing.kind, leaf_thing.thing, leaf_thing.n_rows
    FROM ppdt_leaf_thing AS leaf_thing
    INNER JOIN ppdt_pool AS pool ON pool.leaf_id = leaf_thing.leaf_id
    UNION ALL
    SELECT lent.from_id, unit_thing.kind, unit_thing.thing, -unit_thing.n_rows
    FROM ppdt_lent AS lent
    INNER JOIN ppdt_unit_thing AS unit_thing ON unit_thing.unit_id = lent.row_id
    UNION ALL
    SELECT lent.to_id, unit_thing.kind, unit_thing.thing, unit_thing.n_rows
    FROM ppdt_lent AS lent
    INNER JOIN ppdt_unit_thing AS unit_thing ON unit_thing.unit_id = lent.row_id
)

SELECT pool_id, kind, thing, CAST(sum(n_rows) AS BIGINT) AS n_rows
FROM counted
GROUP BY pool_id, kind, thing
HAVING sum(n_rows) > 0;
