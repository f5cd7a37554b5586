-- bayes/chance.sql: the chance of every member of every nominal feature in each class.
--
-- in:      nothing
-- out:     ppdt_chance (attribute_id, class_id, member, chance)
--          one row per (attribute_id, class_id, member); NULL stands for members never seen
-- params:  $attribute_ids, $class_ids, $members, $chances
SELECT
    CAST(unnest($attribute_ids) AS INTEGER) AS attribute_id,
    CAST(unnest($class_ids) AS INTEGER) AS class_id,
    CAST(unnest($members) AS VARCHAR) AS member,
    CAST(unnest($chances) AS DOUBLE) AS chance;
