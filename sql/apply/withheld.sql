-- apply/withheld.sql: how many new rows are shown, and how many are withheld for which reason.
--
-- in:      ppdt_cell (cell_id, n_rows); ppdt_leaf (cell_id, leaf_id); ppdt_ranked (leaf_id, rank);
--          ppdt_member (cell_id)
-- out:     ppdt_withheld (n_rows, n_shown, n_no_branch, n_no_class, n_outside)
--          one row
SELECT
    CAST(sum(cell.n_rows) AS BIGINT) AS n_rows,
    CAST(coalesce(sum(cell.n_rows) FILTER (WHERE member.cell_id IS NOT NULL), 0) AS BIGINT) AS n_shown,
    CAST(coalesce(sum(cell.n_rows) FILTER (WHERE leaf.cell_id IS NULL), 0) AS BIGINT) AS n_no_branch,
    CAST(coalesce(sum(cell.n_rows) FILTER (WHERE leaf.cell_id IS NOT NULL AND place.leaf_id IS NULL), 0) AS BIGINT) AS n_no_class,
    CAST(coalesce(sum(cell.n_rows) FILTER (WHERE place.leaf_id IS NOT NULL AND member.cell_id IS NULL), 0) AS BIGINT) AS n_outside
FROM ppdt_cell AS cell
LEFT JOIN ppdt_leaf AS leaf ON leaf.cell_id = cell.cell_id
LEFT JOIN ppdt_ranked AS place ON place.leaf_id = leaf.leaf_id AND place.rank = 1
LEFT JOIN ppdt_member AS member ON member.cell_id = cell.cell_id;
