-- kactus/group_thing.sql: the entities and sensitive values of every group.
--
-- in:      ppdt_judged (pool_id, group_id); ppdt_pool_thing (pool_id, kind, thing, n_rows)
-- out:     ppdt_group_thing (group_id, kind, thing, n_rows)
--          one row per (group_id, kind, thing)
SELECT judged.group_id, held.kind, held.thing, CAST(sum(held.n_rows) AS BIGINT) AS n_rows
FROM ppdt_judged AS judged
INNER JOIN ppdt_pool_thing AS held ON held.pool_id = judged.pool_id
GROUP BY judged.group_id, held.kind, held.thing;
