-- tree/used.sql: the codes whose values a tree tests.
--
-- in:      nothing
-- out:     ppdt_used (attribute_id, code)
--          one row per (attribute_id, code)
-- params:  $attribute_ids, $codes
SELECT
    unnest(CAST($attribute_ids AS INTEGER[])) AS attribute_id,
    unnest(CAST($codes AS INTEGER[])) AS code;
