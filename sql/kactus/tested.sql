-- kactus/tested.sql: the attributes that are tested on the way to every class.
--
-- in:      nothing
-- out:     ppdt_tested (class_id, attribute_id)
--          one row per attribute of a class
-- params:  $class_ids, $attribute_ids
SELECT
    unnest(CAST($class_ids AS INTEGER[])) AS class_id,
    unnest(CAST($attribute_ids AS INTEGER[])) AS attribute_id;
