-- lib/engine/setting.sql: the value of one setting.
-- params:  $name
SELECT current_setting($name) AS setting
