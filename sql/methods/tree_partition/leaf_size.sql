-- methods/tree_partition/leaf_size.sql: how many rows every leaf holds.
--
-- in:      ppdt_leaf (cell_id, leaf_id); ppdt_cell (cell_id, n_rows)
-- out:     ppdt_leaf_size (leaf_id, n_rows)
--          one row per leaf that holds rows
SELECT leaf.leaf_id, CAST(sum(cell.n_rows) AS BIGINT) AS n_rows
FROM ppdt_leaf AS leaf
INNER JOIN ppdt_cell AS cell ON cell.cell_id = leaf.cell_id
GROUP BY leaf.leaf_id
ORDER BY leaf.leaf_id ASC;
