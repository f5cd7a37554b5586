-- audit/class_ids.sql: whether every class has an id of its own.
--
-- in:      ppdt_class (class_id)
-- out:     ppdt_class_ids (n_classes, n_ids)
--          one row
SELECT count(*) AS n_classes, count(DISTINCT class_id) AS n_ids
FROM ppdt_class;
