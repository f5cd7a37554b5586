-- learn/kadet/level_code.sql: a dictionary of one level of a hierarchy: a value stands for those of its node.
--
-- in:      ppdt_level (level_id, up_code, value)
-- out:     ppdt_code_<i> (code, value)
--          one row per code
-- params:  $level_id
SELECT up_code AS code, min(value) AS value
FROM ppdt_level
WHERE level_id = $level_id
GROUP BY up_code;
