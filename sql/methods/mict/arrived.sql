-- methods/mict/arrived.sql: the rows that have come to a leaf in a group that keeps the guarantee.
--
-- in:      ppdt_path_group (cell_id, node_id, group_id); ppdt_inner (node_id); ppdt_row (row_id, cell_id)
-- out:     ppdt_coarse (row_id, class_id)
--          one row per row in a leaf
-- paper:   Chettri, Ray: the set S
SELECT placed.row_id, shared.group_id AS class_id
FROM ppdt_path_group AS shared
ANTI JOIN ppdt_inner AS cut ON cut.node_id = shared.node_id
INNER JOIN ppdt_row AS placed ON placed.cell_id = shared.cell_id;
