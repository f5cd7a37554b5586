-- methods/specialize/member.sql: the class that every cell is in at the end.
--
-- in:      ppdt_state (cell_id, class_id)
-- out:     ppdt_member (cell_id, class_id)
--          one row per cell
-- keeps:   classes count up from 0 without gaps
SELECT
    cell_id,
    CAST(dense_rank() OVER (ORDER BY class_id ASC) - 1 AS INTEGER) AS class_id
FROM ppdt_state;
