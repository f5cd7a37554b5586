-- encode/hierarchy/fault.sql: what is wrong with a hierarchy, as counts.
--
-- in:      ppdt_path (path_id, code, leaf, word_<h>); ppdt_hierarchy_level (path_id, code, depth, words)
-- out:     ppdt_fault (n_paths, n_missing, n_twice, n_roots, n_torn, n_empty)
--          one row: rows, values without a leaf, leaves with several parents, roots, nodes below several
--          parents or below themselves, values without a word at some level
WITH climbed AS (
    SELECT
        path_id,
        words,
        lag(words) OVER (PARTITION BY path_id ORDER BY depth ASC) AS parent
    FROM ppdt_hierarchy_level
),

torn AS (
    SELECT words
    FROM climbed
    WHERE parent IS NOT NULL
    GROUP BY words
    HAVING count(DISTINCT parent) > 1
    UNION
    SELECT words
    FROM ppdt_hierarchy_level
    GROUP BY path_id, words
    HAVING count(*) > 1
),

twice AS (
    SELECT coalesce('code ' || code, 'leaf ' || leaf) AS leaf
    FROM {{ path | ident }}
    GROUP BY ALL
    HAVING count(*) > 1
)

SELECT
    (SELECT count(*) FROM {{ path | ident }} AS path WHERE path.{{ ("word_%d" % (levels | length - 1)) | ident }} IS NOT NULL) AS n_paths,
    (SELECT count(*) FROM {{ path | ident }} AS path
        WHERE coalesce({% for level in levels %}path.{{ nth("word", loop) }}{{ comma(loop) }}{% endfor %}) IS NULL) AS n_missing,
    (SELECT count(*) FROM twice) AS n_twice,
    (SELECT count(DISTINCT words) FROM ppdt_hierarchy_level WHERE depth = 0) AS n_roots,
    (SELECT count(*) FROM torn) AS n_torn,
    (SELECT count(*) FROM {{ path | ident }} AS path
        WHERE path.leaf IS NOT NULL AND ({% for level in levels %}path.{{ nth("word", loop) }} IS NULL{% if not loop.last %} OR {% endif %}{% endfor %})) AS n_empty;
