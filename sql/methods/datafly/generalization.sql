-- methods/datafly/generalization.sql: what every value of an attribute becomes at each level of its hierarchy.
--
-- in:      ppdt_node_<i> (first_code, last_code, top_depth); ppdt_code_<i> (code)
-- out:     ppdt_generalization (attribute_id, level, code, bucket_id)
--          one row per level and code; at level 0 every value is itself, at the last one all are one
-- keeps:   a bucket is named by its lowest code; levels are counted from the root, so that a value of a
--          short branch, as NULL, waits for the others
-- paper:   Sweeney 2002, section 3.2
WITH step AS (
    SELECT top_depth, dense_rank() OVER (ORDER BY top_depth DESC) - 1 AS level
    FROM {{ attribute.node | ident }}
    GROUP BY top_depth
)

SELECT
    CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id,
    CAST(step.level AS INTEGER) AS level,
    CAST(dictionary.code AS INTEGER) AS code,
    CAST(max(node.first_code) AS INTEGER) AS bucket_id
FROM {{ attribute.dictionary | ident }} AS dictionary
INNER JOIN {{ attribute.node | ident }} AS node
    ON node.first_code <= dictionary.code AND node.last_code >= dictionary.code
INNER JOIN step ON node.top_depth <= step.top_depth
GROUP BY step.level, dictionary.code;
