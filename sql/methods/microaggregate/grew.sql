-- methods/microaggregate/grew.sql: how many clusters took in another row.
--
-- in:      ppdt_joiner (row_id)
-- out:     ppdt_grew (n_classes)
--          one row
SELECT count(row_id) AS n_classes
FROM ppdt_joiner;
