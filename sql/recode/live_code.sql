-- recode/live_code.sql: the frozen dictionary of one attribute.
--
-- in:      ppdt_code_<i> (code, value)
-- out:     ppdt.live_<run>_code_<i> (code, value)
--          one row per value
SELECT code, value
FROM {{ dictionary | ident }};
