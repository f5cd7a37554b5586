-- methods/datafly/member.sql: the class of every cell at the end; what still breaks the guarantee is dropped.
--
-- in:      ppdt_placed (cell_id, group_id); ppdt_broken (group_id)
-- out:     ppdt_member (cell_id, class_id)
--          one row per cell that is released
-- keeps:   classes count up from 0 without gaps
SELECT
    placed.cell_id,
    CAST(dense_rank() OVER (ORDER BY placed.group_id ASC) - 1 AS INTEGER) AS class_id
FROM ppdt_placed AS placed
ANTI JOIN ppdt_broken AS broken ON broken.group_id = placed.group_id;
