-- learn/set_id3/root.sql: what the members of sets count for each class, for the driver.
--
-- in:      ppdt_class_count (node_id, attribute_id, code, target, weight)
-- out:     ppdt_root (attribute_id, code, target, weight)
--          one row per (attribute_id, code, target)
SELECT attribute_id, code, target, weight
FROM ppdt_class_count
ORDER BY attribute_id ASC, code ASC, target ASC;
