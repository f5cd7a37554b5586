-- encode/hierarchy/hierarchy_level.sql: the inner nodes above every leaf, from the root downwards.
--
-- in:      ppdt_path (path_id, code, leaf, word_<h>)
-- out:     ppdt_hierarchy_level (path_id, code, depth, words)
--          one row per (path_id, depth); the root has depth 0
-- keeps:   a node that is repeated from level to level is one; empty cells are left out
WITH level AS (
{% for level in levels %}
    SELECT path_id, code, CAST({{ loop.index0 | literal }} AS INTEGER) AS height, {{ nth("word", loop) }} AS words
    FROM {{ path | ident }}
    {%+ if not loop.last %}UNION ALL{% endif %}

{% endfor %}
),

told AS (
    SELECT
        path_id,
        code,
        height,
        words,
        lead(words) OVER (PARTITION BY path_id ORDER BY height ASC) AS above
    FROM level
    WHERE words IS NOT NULL
)

SELECT
    path_id,
    code,
    CAST(row_number() OVER (PARTITION BY path_id ORDER BY height DESC) - 1 AS INTEGER) AS depth,
    words
FROM told
WHERE above IS DISTINCT FROM words;
