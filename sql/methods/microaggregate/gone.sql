-- methods/microaggregate/gone.sql: the rows that leave the points.
--
-- in:      ppdt_taken (row_id)
-- out:     ppdt_gone (row_id)
--          one row per row that a cluster has taken
SELECT row_id
FROM ppdt_taken;
