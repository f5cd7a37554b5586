-- encode/hierarchy/written.sql: a hierarchy as a file holds it, values in depth-first order.
--
-- in:      ppdt_path (path_id, code, leaf, word_<h>); ppdt_hierarchy_code (base_code, code)
-- out:     ppdt_written (leaf, level_1, ..., root as they are called)
--          one row per value; NULL has none, it lies below the root
SELECT
    path.leaf,
{% for level in levels %}
    path.{{ level | ident }} AS {{ (("level%d" % loop.index) if not loop.last else "root") | ident }}{{ comma(loop) }}
{% endfor %}
FROM {{ path | ident }} AS path
INNER JOIN ppdt_hierarchy_code AS place ON place.base_code = path.code
WHERE path.leaf IS NOT NULL
ORDER BY place.code ASC;
