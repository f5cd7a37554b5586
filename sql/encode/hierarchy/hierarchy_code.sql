-- hierarchy/place.sql: give the values of a column codes in the depth-first order of its hierarchy.
--
-- in:      ppdt_rung (path_id, code, depth, words)
-- out:     ppdt_place (base_code, code)
--          one row per value
-- keeps:   every node's codes follow each other; siblings stand in the order of their first values
WITH leader AS (
    SELECT words, min(code) AS first_code
    FROM ppdt_rung
    WHERE code IS NOT NULL
    GROUP BY words
),

way AS (
    SELECT
        rung.code,
        list(leader.first_code ORDER BY rung.depth ASC) AS nodes
    FROM ppdt_rung AS rung
    INNER JOIN leader ON leader.words = rung.words
    WHERE rung.code IS NOT NULL
    GROUP BY rung.code
)

SELECT
    code AS base_code,
    CAST(row_number() OVER (ORDER BY list_append(nodes, code) ASC) - 1 AS INTEGER) AS code
FROM way;
