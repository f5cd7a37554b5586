-- audit/class_row.sql: every row as its class and its sensitive values, so that the
-- quasi-identifiers are read once for all sensitive columns.
--
-- in:      the release
-- out:     ppdt_class_row (class_id, s<i>)
--          one row per released row
-- params:  $salt
-- keeps:   the same id as in ppdt_class
SELECT
    hash($salt{% for column in quasi %}, hash($salt, release.{{ column.name | ident }}{% if column.is_text %} COLLATE "binary"{% endif %}{% if column.is_list %}, array_length(release.{{ column.name | ident }}){% endif %}){% if column.by_text %}, hash(CAST(release.{{ column.name | ident }} AS VARCHAR)){% endif %}{% endfor %}) AS class_id{% for column in sensitive %},
    release.{{ column.name | ident }}{% if column.is_text %} COLLATE "binary"{% endif %} AS {{ column.group | ident }}
{%- endfor %}

FROM {{ release }} AS release;
