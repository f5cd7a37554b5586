-- hierarchy/branch.sql: the rows of a hierarchy that is given as a relation, each once.
--
-- in:      the hierarchy
-- out:     ppdt_branch (path_id, leaf, word_<h>)
--          one row per different row of the hierarchy, from the leaf to the root; rows of nothing left out
WITH told AS (
    SELECT DISTINCT
        CAST(hierarchy.{{ leaf | ident }} AS VARCHAR) COLLATE "binary" AS leaf,
{% for level in levels %}
        CAST(hierarchy.{{ level | ident }} AS VARCHAR) COLLATE "binary" AS {{ ("word_%d" % loop.index0) | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
    FROM {{ hierarchy }} AS hierarchy
)

SELECT
    row_number() OVER (
        ORDER BY leaf ASC{% for level in levels %}, {{ ("word_%d" % loop.index0) | ident }} ASC{% endfor %}

    ) AS path_id,
    leaf,
{% for level in levels %}
    {{ ("word_%d" % loop.index0) | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
FROM told
WHERE coalesce(leaf{% for level in levels %}, {{ ("word_%d" % loop.index0) | ident }}{% endfor %}) IS NOT NULL;
