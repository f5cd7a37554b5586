-- apply/home.sql: the leaf of every cell, kept for the rules.
--
-- in:      ppdt_leaf (cell_id, leaf_id)
-- out:     ppdt_home (cell_id, leaf_id)
--          one row per cell
SELECT cell_id, leaf_id
FROM ppdt_leaf;
