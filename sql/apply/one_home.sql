-- apply/one_home.sql: all cells in one leaf, where a method goes by no tree.
--
-- in:      ppdt_cell (cell_id)
-- out:     ppdt_home (cell_id, leaf_id)
--          one row per cell
SELECT cell_id, CAST(0 AS INTEGER) AS leaf_id
FROM ppdt_cell;
