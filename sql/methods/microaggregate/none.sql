-- methods/microaggregate/none.sql: no row has a class yet.
--
-- in:      ppdt_coarse (row_id, class_id)
-- out:     ppdt_member (row_id, class_id)
--          no row
SELECT CAST(row_id AS BIGINT) AS row_id, CAST(class_id AS BIGINT) AS class_id
FROM ppdt_coarse
WHERE FALSE;
