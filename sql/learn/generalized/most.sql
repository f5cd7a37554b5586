-- learn/generalized/most.sql: the largest number that a feature's codes come to.
--
-- in:      ppdt_code_<i> (code)
-- out:     ppdt_most (code)
--          one row
SELECT coalesce(max(code), 0) AS code
FROM {{ feature.code_relation }};
