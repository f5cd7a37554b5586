-- methods/specialize/divided.sql: the classes that a step has divided, which are no more.
--
-- in:      ppdt_group (class_id)
-- out:     ppdt_divided (class_id)
--          one row per group that was made of a class
SELECT class_id
FROM ppdt_group;
