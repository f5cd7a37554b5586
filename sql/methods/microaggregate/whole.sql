-- methods/microaggregate/whole.sql: all rows in one part, to begin with.
--
-- in:      ppdt_row (row_id)
-- out:     ppdt_coarse (row_id, class_id)
--          one row per row
SELECT row_id, 0 AS class_id
FROM ppdt_row;
