-- audit/portion.sql: each class's portion of each sensitive value, beside what the whole release has.
--
-- in:      ppdt_class_value (class_id, value, n_rows); ppdt_class_total (class_id, n_rows);
--          ppdt_sensitive_value (code, value, n_rows)
-- out:     ppdt_portion (class_id, code, n_rows, n_class, n_value)
--          one row per (class_id, value)
-- keeps:   n_class counts the rows of the class, n_value the rows of the value in the release
SELECT
    class_value.class_id,
    value.code,
    class_value.n_rows,
    class.n_rows AS n_class,
    value.n_rows AS n_value
FROM ppdt_class_value AS class_value
INNER JOIN ppdt_class_total AS class ON class.class_id = class_value.class_id
INNER JOIN ppdt_sensitive_value AS value ON value.value IS NOT DISTINCT FROM class_value.value;
