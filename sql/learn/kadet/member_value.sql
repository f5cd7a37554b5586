-- learn/kadet/member_value.sql: the values below the nodes of every level, for the driver.
--
-- in:      ppdt_level (level_id, up_code, value)
-- out:     ppdt_member_value (level_id, up_code, value)
--          one row per level and value
SELECT level_id, up_code, value
FROM ppdt_level
WHERE value IS NOT NULL
ORDER BY level_id ASC, up_code ASC, value ASC;
