-- audit/hierarchy.sql: what is wrong with a hierarchy, as counts.
--
-- in:      the release; the hierarchy
-- out:     ppdt_hierarchy (n_missing, n_twice, n_roots, n_torn)
--          one row: values without a leaf, leaves named twice, roots, nodes below two parents
WITH missing AS (
    SELECT DISTINCT {% with text = ("release", column) | ident, type_name = type_name %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} COLLATE "binary" AS value
    FROM {{ release }} AS release
    ANTI JOIN {{ hierarchy }} AS hierarchy
        ON hierarchy.{{ levels[0] | ident }} COLLATE "binary" = {% with text = ("release", column) | ident, type_name = type_name %}{% include "lib/fragments/utc_text.sql" %}{% endwith %}

    WHERE release.{{ column | ident }} IS NOT NULL
),

edge AS (
{% for level in levels %}
    SELECT DISTINCT
        {{ loop.index0 | literal }} AS level,
        hierarchy.{{ level | ident }} COLLATE "binary" AS child,
        hierarchy.{{ (levels[1:] + [root])[loop.index0] | ident }} COLLATE "binary" AS parent
    FROM {{ hierarchy }} AS hierarchy
{% if not loop.last %}
    UNION ALL
{% endif %}
{% endfor %}
),

torn AS (
    SELECT level, child, count(*) AS n_parents
    FROM edge
    GROUP BY level, child
)

SELECT
    (SELECT count(*) FROM missing) AS n_missing,
    (SELECT count(*) - count(DISTINCT hierarchy.{{ levels[0] | ident }} COLLATE "binary") FROM {{ hierarchy }} AS hierarchy
        WHERE hierarchy.{{ levels[0] | ident }} IS NOT NULL) AS n_twice,
    (SELECT count(DISTINCT hierarchy.{{ root | ident }} COLLATE "binary") FROM {{ hierarchy }} AS hierarchy) AS n_roots,
    (SELECT count(*) FROM torn WHERE n_parents > 1) AS n_torn;
