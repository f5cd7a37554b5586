-- methods/microaggregate/parted.sql: the rows that leave the classes that are divided.
--
-- in:      ppdt_large (row_id)
-- out:     ppdt_parted (row_id)
--          one row per row of a class that is divided
SELECT row_id
FROM ppdt_large;
