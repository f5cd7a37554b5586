-- kadet/finer.sql: the level below each level of a hierarchy; the values themselves below the first.
--
-- in:      nothing
-- out:     ppdt_finer (attribute_id, finer_id)
--          one row per level
-- params:  $attribute_ids, $finer_ids
SELECT
    unnest(CAST($attribute_ids AS INTEGER[])) AS attribute_id,
    unnest(CAST($finer_ids AS INTEGER[])) AS finer_id;
