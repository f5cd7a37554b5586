-- methods/node_risk/judged_protected.sql: the entities and sensitive values in and below every node.
--
-- in:      ppdt_unit_protected (unit_id, kind, protected_key, n_rows), units being cells;
--          ppdt_leaf (cell_id, leaf_id); ppdt_above (node_id, above_id)
-- out:     ppdt_group_protected (group_id, kind, protected_key, n_rows)
--          one row per (group_id, kind, protected_key)
WITH of_leaf AS (
    SELECT leaf.leaf_id, held.kind, held.protected_key, CAST(sum(held.n_rows) AS BIGINT) AS n_rows
    FROM ppdt_unit_protected AS held
    INNER JOIN ppdt_leaf AS leaf ON leaf.cell_id = held.unit_id
    GROUP BY leaf.leaf_id, held.kind, held.protected_key
)

SELECT above.above_id AS group_id, of_leaf.kind, of_leaf.protected_key, CAST(sum(of_leaf.n_rows) AS BIGINT) AS n_rows
FROM of_leaf
INNER JOIN ppdt_above AS above ON above.node_id = of_leaf.leaf_id
GROUP BY above.above_id, of_leaf.kind, of_leaf.protected_key;
