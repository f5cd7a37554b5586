-- methods/erp/member.sql: the class in which every cell is released.
--
-- in:      ppdt_leaf (cell_id, leaf_id); ppdt_outcome (leaf_id, class_id)
-- out:     ppdt_member (cell_id, class_id)
--          one row per cell
SELECT leaf.cell_id, outcome.class_id
FROM ppdt_leaf AS leaf
INNER JOIN ppdt_outcome AS outcome ON outcome.leaf_id = leaf.leaf_id;
