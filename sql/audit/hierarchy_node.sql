-- audit/hierarchy_node.sql: the node of a hierarchy in which each sensitive value lies, level by level.
--
-- in:      ppdt_sensitive_value (code, value); the hierarchy
-- out:     ppdt_hierarchy_node (code, level, node)
--          one row per (code, level), from the leaves to below the root
-- keeps:   a NULL that the hierarchy does not name is a branch of its own below the root
{% for level in levels %}
SELECT
    value.code,
    CAST({{ loop.index0 | literal }} AS INTEGER) AS level,
    CAST(hierarchy.{{ level | ident }} AS VARCHAR) COLLATE "binary" AS node
FROM ppdt_sensitive_value AS value
LEFT JOIN {{ hierarchy }} AS hierarchy
    ON hierarchy.{{ levels[0] | ident }} COLLATE "binary" = {% with text = ("value", "value") | ident, type_name = type_name %}{% include "lib/fragments/utc_text.sql" %}{% endwith %}

{% if not loop.last %}
UNION ALL
{% endif %}
{% endfor %};
