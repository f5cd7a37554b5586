-- methods/mict/leaf_row.sql: every row in the part that its leaf makes.
--
-- in:      ppdt_row (row_id, cell_id); ppdt_leaf (cell_id, leaf_id)
-- out:     ppdt_coarse (row_id, class_id)
--          one row per row
SELECT placed.row_id, leaf.leaf_id AS class_id
FROM ppdt_row AS placed
INNER JOIN ppdt_leaf AS leaf ON leaf.cell_id = placed.cell_id;
