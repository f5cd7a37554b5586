-- encode/hierarchy/grouped.sql: the rows of a grouping by hand, each once.
--
-- in:      nothing but $paths
-- out:     ppdt_grouped (leaf, word_<h>)
--          one row per value that was named: the value, its groups, the root
-- params:  $paths
SELECT
    path.steps[1] AS leaf,
{% for level in levels %}
    path.steps[{{ (loop.index0 + 2) | literal }}] AS {{ level | ident }}{{ comma(loop) }}
{% endfor %}
FROM (SELECT unnest(CAST($paths AS VARCHAR[][])) AS steps) AS path;
