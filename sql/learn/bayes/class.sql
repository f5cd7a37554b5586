-- learn/bayes/class.sql: the rows of each class.
--
-- in:      ppdt_reading (target)
-- out:     ppdt_class_size (class_id, n_rows)
--          one row per class that occurs
-- params:  $first_class
SELECT CAST(target - $first_class AS INTEGER) AS class_id, count(*) AS n_rows
FROM ppdt_reading
WHERE target >= $first_class
GROUP BY target
ORDER BY class_id ASC;
