-- learn/generalized/code.sql: the codes of a nominal feature's forms: of a single member its own, of a set its number.
--
-- in:      ppdt_held (shown, codes)
-- out:     ppdt_code_<i> (code, value, codes)
--          one row per form as it is shown
SELECT
    CASE
        WHEN array_length(codes) = 1 THEN CAST(codes[1] AS BIGINT)
        ELSE CAST(dense_rank() OVER (ORDER BY codes ASC) AS BIGINT) << {{ attribute.value_bits | literal }}
    END AS code,
    shown AS value,
    codes
FROM ppdt_held;
