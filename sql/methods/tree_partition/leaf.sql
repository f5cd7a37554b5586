-- methods/tree_partition/leaf.sql: the cells that have come to a leaf.
--
-- in:      ppdt_descent (cell_id, node_id); ppdt_inner (node_id)
-- out:     ppdt_leaf (cell_id, leaf_id)
--          one row per cell in a leaf
SELECT walk.cell_id, walk.node_id AS leaf_id
FROM ppdt_descent AS walk
ANTI JOIN ppdt_inner AS cut ON cut.node_id = walk.node_id;
