-- methods/mict/level_row.sql: the rows of a level, each in the group whose values it shares.
--
-- in:      ppdt_path_group (cell_id, group_id); ppdt_row (row_id, cell_id)
-- out:     ppdt_level_row (row_id, class_id)
--          one row per row of the level
SELECT placed.row_id, shared.group_id AS class_id
FROM ppdt_row AS placed
INNER JOIN ppdt_path_group AS shared ON shared.cell_id = placed.cell_id;
