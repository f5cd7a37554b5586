-- encode/hierarchy/hierarchy_code.sql: give the values of a column codes in the depth-first order of its hierarchy.
--
-- in:      ppdt_hierarchy_level (path_id, code, depth, words)
-- out:     ppdt_hierarchy_code (base_code, code)
--          one row per value
-- keeps:   every node's codes follow each other; siblings stand in the order of their first values
WITH leader AS (
    SELECT words, min(code) AS first_code
    FROM ppdt_hierarchy_level
    WHERE code IS NOT NULL
    GROUP BY words
),

way AS (
    SELECT
        level.code,
        list(leader.first_code ORDER BY level.depth ASC) AS nodes
    FROM ppdt_hierarchy_level AS level
    INNER JOIN leader ON leader.words = level.words
    WHERE level.code IS NOT NULL
    GROUP BY level.code
)

SELECT
    code AS base_code,
    CAST(row_number() OVER (ORDER BY list_append(nodes, code) ASC) - 1 AS INTEGER) AS code
FROM way;
