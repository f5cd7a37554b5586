-- encode/hierarchy/hierarchy_row.sql: the rows of a hierarchy that is given as a relation, each once.
--
-- in:      the hierarchy
-- out:     ppdt_hierarchy_row (path_id, leaf, word_<h>)
--          one row per different row of the hierarchy, from the leaf to the root; rows of nothing left out
WITH told AS (
    SELECT DISTINCT
        {%+ with text = ("hierarchy", leaf) | ident, type_name = types[leaf] %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} COLLATE "binary" AS leaf,
{% for level in levels %}
        {%+ with text = ("hierarchy", level) | ident, type_name = types[level] %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} COLLATE "binary" AS {{ nth("word", loop) }}{{ comma(loop) }}
{% endfor %}
    FROM {{ hierarchy }} AS hierarchy
)

SELECT
    row_number() OVER (
        ORDER BY leaf ASC{% for level in levels %}, {{ nth("word", loop) }} ASC{% endfor %}

    ) AS path_id,
    leaf,
{% for level in levels %}
    {{ nth("word", loop) }}{{ comma(loop) }}
{% endfor %}
FROM told
WHERE coalesce(leaf{% for level in levels %}, {{ nth("word", loop) }}{% endfor %}) IS NOT NULL;
