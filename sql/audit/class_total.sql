-- audit/class_total.sql: how many rows and how many sensitive values each class has.
--
-- in:      ppdt_class_value (class_id, n_rows)
-- out:     ppdt_class_total (class_id, n_rows, n_values)
--          one row per class
SELECT class_id, CAST(sum(n_rows) AS BIGINT) AS n_rows, count(*) AS n_values
FROM ppdt_class_value
GROUP BY class_id;
