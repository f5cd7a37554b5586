-- encode/hierarchy/node.sql: the nodes of a hierarchy that hold values of the column, as intervals of codes.
--
-- in:      ppdt_hierarchy_level (path_id, code, depth, words); ppdt_hierarchy_code (base_code, code); ppdt_code_<i> (code, value, shown)
-- out:     ppdt_node_<i> (node_id, parent_id, depth, top_depth, first_code, last_code, words)
--          one row per node, numbered from the root in depth-first order; values are nodes too
-- keeps:   nodes over the same codes are one, the lowest; the words of NULL are NULL; `top_depth` is the
--          depth of the highest of them in the hierarchy as given, with the values below its lowest words
WITH placed AS (
    SELECT
        place.code,
        level.depth,
        level.words,
        min(place.code) OVER (PARTITION BY level.words) AS first_code,
        max(place.code) OVER (PARTITION BY level.words) AS last_code
    FROM ppdt_hierarchy_level AS level
    INNER JOIN ppdt_hierarchy_code AS place ON place.base_code = level.code
    UNION ALL
    SELECT code, 1000000, coalesce(shown, CAST(value AS VARCHAR)), code, code
    FROM {{ attribute.dictionary | ident }}
),

lowest AS (
    SELECT
        code, words, first_code, last_code,
        row_number() OVER (PARTITION BY code, first_code, last_code ORDER BY depth DESC) AS place,
        least(
            min(depth) OVER (PARTITION BY code, first_code, last_code),
            max(CASE WHEN depth < 1000000 THEN depth END) OVER (PARTITION BY code) + 1
        ) AS top_depth
    FROM placed
),

climbed AS (
    SELECT
        first_code, last_code, words, top_depth,
        row_number() OVER (PARTITION BY code ORDER BY first_code ASC, last_code DESC) - 1 AS depth,
        lag(first_code) OVER downwards AS parent_first,
        lag(last_code) OVER downwards AS parent_last
    FROM lowest
    WHERE place = 1
    WINDOW downwards AS (PARTITION BY code ORDER BY first_code ASC, last_code DESC)
),

node AS (
    SELECT
        first_code, last_code, depth, parent_first, parent_last, min(words) AS words, min(top_depth) AS top_depth,
        CAST(row_number() OVER (ORDER BY first_code ASC, last_code DESC) - 1 AS INTEGER) AS node_id
    FROM climbed
    GROUP BY first_code, last_code, depth, parent_first, parent_last
)

SELECT
    node.node_id,
    parent.node_id AS parent_id,
    CAST(node.depth AS INTEGER) AS depth,
    CAST(node.top_depth AS INTEGER) AS top_depth,
    node.first_code,
    node.last_code,
    node.words
FROM node
LEFT JOIN node AS parent
    ON parent.first_code = node.parent_first AND parent.last_code = node.parent_last;
