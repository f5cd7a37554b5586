-- methods/kactus/group_protected.sql: the entities and sensitive values of every group.
--
-- in:      ppdt_judged (pool_id, group_id); ppdt_pool_protected (pool_id, kind, protected_key, n_rows)
-- out:     ppdt_group_protected (group_id, kind, protected_key, n_rows)
--          one row per (group_id, kind, protected_key)
SELECT judged.group_id, held.kind, held.protected_key, CAST(sum(held.n_rows) AS BIGINT) AS n_rows
FROM ppdt_judged AS judged
INNER JOIN ppdt_pool_protected AS held ON held.pool_id = judged.pool_id
GROUP BY judged.group_id, held.kind, held.protected_key;
