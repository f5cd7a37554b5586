-- methods/mict/non_complying.sql: the rows of a level whose values too few others share, in part number -1.
--
-- in:      ppdt_level_row (row_id, class_id); ppdt_broken (group_id)
-- out:     ppdt_coarse (row_id, class_id)
--          one row per row of a group that breaks the guarantee
-- paper:   Chettri, Ray: the set Q
SELECT level.row_id, CAST(-1 AS BIGINT) AS class_id
FROM ppdt_level_row AS level
INNER JOIN ppdt_broken AS broken ON broken.group_id = level.class_id;
