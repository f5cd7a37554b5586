-- tools/report/class_size.sql: how many classes of each size a release has on record.
--
-- in:      ppdt.class (run_id, n_rows, n_classes)
-- out:     ppdt_class_size (n_rows, n_classes)
--          one row per size
-- params:  $run_id
SELECT n_rows, n_classes
FROM {{ schema | ident }}.class
WHERE run_id = $run_id
ORDER BY n_rows ASC;
