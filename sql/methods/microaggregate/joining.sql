-- methods/microaggregate/joining.sql: the rows that the new clusters take in besides.
--
-- in:      ppdt_joiner (part_id, class_id, row_id)
-- out:     ppdt_taken (part_id, class_id, row_id)
--          one row per cluster that grows
SELECT part_id, class_id, row_id
FROM ppdt_joiner;
