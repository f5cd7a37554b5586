-- audit/sized.sql: the size of every class, where each row is a person.
--
-- in:      ppdt_class (n_rows, is_suppressed)
-- out:     ppdt_sized (n_rows, n_subjects, is_suppressed)
--          one row per class
SELECT n_rows, n_rows AS n_subjects, is_suppressed
FROM ppdt_class;
