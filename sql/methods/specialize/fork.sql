-- methods/specialize/fork.sql: into which child every value below an inner node of a hierarchy falls.
--
-- in:      ppdt_node_<i> (node_id, parent_id, first_code, last_code); ppdt_code_<i> (code)
-- out:     ppdt_fork (attribute_id, node_id, child_id, code)
--          one row per inner node and code below it
SELECT
    CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id,
    child.parent_id AS node_id,
    child.node_id AS child_id,
    dictionary.code
FROM {{ attribute.node | ident }} AS child
INNER JOIN {{ attribute.dictionary | ident }} AS dictionary
    ON dictionary.code >= child.first_code AND dictionary.code <= child.last_code
WHERE child.parent_id IS NOT NULL;
