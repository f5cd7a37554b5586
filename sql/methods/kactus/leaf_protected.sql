-- methods/kactus/leaf_protected.sql: the entities and sensitive values of every leaf.
--
-- in:      ppdt_leaf (cell_id, leaf_id); ppdt_row (row_id, cell_id);
--          ppdt_unit_protected (unit_id, kind, protected_key, n_rows)
-- out:     ppdt_leaf_protected (leaf_id, kind, protected_key, n_rows)
--          one row per (leaf_id, kind, protected_key)
SELECT leaf.leaf_id, held.kind, held.protected_key, CAST(sum(held.n_rows) AS BIGINT) AS n_rows
FROM ppdt_unit_protected AS held
INNER JOIN ppdt_row AS placed ON placed.row_id = held.unit_id
INNER JOIN ppdt_leaf AS leaf ON leaf.cell_id = placed.cell_id
GROUP BY leaf.leaf_id, held.kind, held.protected_key;
