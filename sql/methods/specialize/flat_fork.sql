-- methods/specialize/flat_fork.sql: without a hierarchy, every value is a child of the root.
--
-- in:      ppdt_code_<i> (code)
-- out:     ppdt_fork (attribute_id, node_id, child_id, code)
--          one row per code
SELECT
    CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id,
    CAST(0 AS INTEGER) AS node_id,
    code + 1 AS child_id,
    code
FROM {{ attribute.dictionary | ident }};
