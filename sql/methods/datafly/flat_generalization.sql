-- methods/datafly/flat_generalization.sql: without a hierarchy, every value is itself or all are one.
--
-- in:      ppdt_code_<i> (code)
-- out:     ppdt_generalization (attribute_id, level, code, bucket_id)
--          one row per level and code
SELECT
    CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id,
    CAST(0 AS INTEGER) AS level,
    CAST(code AS INTEGER) AS code,
    CAST(code AS INTEGER) AS bucket_id
FROM {{ attribute.dictionary | ident }}
UNION ALL
SELECT {{ attribute.position | literal }}, 1, code, 0
FROM {{ attribute.dictionary | ident }};
