-- learn/set_id3/value_name.sql: the names of a column's sets as the values of a dictionary.
--
-- in:      ppdt_named_<i> (code, name)
-- out:     ppdt_value_name_<i> (code, value)
--          one row per distinct set
SELECT DISTINCT code, name AS value
FROM {{ attribute.named_relation }};
