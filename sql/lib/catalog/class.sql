-- lib/catalog/class.sql: how many classes of each size a release has.
--
-- in:      ppdt_class (n_rows)
-- out:     ppdt.class (run_id, n_rows, n_classes)
--          one row per size
-- params:  $run_id
SELECT $run_id AS run_id, n_rows, count(*) AS n_classes
FROM ppdt_class
GROUP BY n_rows;
