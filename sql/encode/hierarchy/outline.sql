-- encode/hierarchy/outline.sql: the nodes of a hierarchy with what lies under them.
--
-- in:      ppdt_node_<i> (node_id, depth, first_code, last_code, words); ppdt_code_<i> (code, n_rows)
-- out:     ppdt_outline (node_id, depth, words, n_values, n_rows)
--          one row per node, from the root in depth-first order
SELECT
    node.node_id,
    node.depth,
    node.words,
    count(*) AS n_values,
    CAST(sum(dictionary.n_rows) AS BIGINT) AS n_rows
FROM {{ node | ident }} AS node
INNER JOIN {{ dictionary | ident }} AS dictionary
    ON dictionary.code >= node.first_code AND dictionary.code <= node.last_code
GROUP BY node.node_id, node.depth, node.words
ORDER BY node.node_id ASC;
