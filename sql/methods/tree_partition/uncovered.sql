-- methods/tree_partition/uncovered.sql: how many rows found no branch.
--
-- in:      ppdt_cell (cell_id, n_rows); ppdt_leaf (cell_id)
-- out:     ppdt_uncovered (n_rows)
--          one row
SELECT CAST(coalesce(sum(cell.n_rows), 0) AS BIGINT) AS n_rows
FROM ppdt_cell AS cell
ANTI JOIN ppdt_leaf AS leaf ON leaf.cell_id = cell.cell_id;
