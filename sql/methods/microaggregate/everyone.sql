-- methods/microaggregate/everyone.sql: all rows that are released, in one part.
--
-- in:      ppdt_member (row_id)
-- out:     ppdt_everyone (row_id, class_id)
--          one row per row that is released
SELECT row_id, 0 AS class_id
FROM ppdt_member;
