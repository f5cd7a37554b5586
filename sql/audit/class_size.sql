-- audit/class_size.sql: how many classes there are of each size.
--
-- in:      ppdt_class (n_rows)
-- out:     ppdt_class_size (n_rows, n_classes)
--          one row per size
SELECT n_rows, count(*) AS n_classes
FROM ppdt_class
GROUP BY n_rows
ORDER BY n_rows ASC;
