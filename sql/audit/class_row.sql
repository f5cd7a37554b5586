-- audit/class_row.sql: every row as its class and its sensitive values, so that the
-- quasi-identifiers are read once for all sensitive columns.
--
-- in:      the release; ppdt_class (class_id, g<i>)
-- out:     ppdt_class_row (class_id, s<i>)
--          one row per released row
WITH shown AS (
    SELECT
        {%+ include "lib/fragments/group.sql" %}{% for column in sensitive %},
        release.{{ column.name | ident }}{% if column.is_text %} COLLATE "binary"{% endif %} AS {{ column.group | ident }}
{%- endfor %}

    FROM {{ release }} AS release
)

SELECT
    class.class_id{% for column in sensitive %},
    shown.{{ column.group | ident }}
{%- endfor %}

FROM shown
INNER JOIN ppdt_class AS class
    ON {% for column in quasi %}class.{{ column.group | ident }} IS NOT DISTINCT FROM shown.{{ column.group | ident }}
    {%- if column.by_text %}

    AND CAST(class.{{ column.group | ident }} AS VARCHAR) IS NOT DISTINCT FROM shown.{{ (column.group ~ "_text") | ident }}{% endif %}{% if not loop.last %}

    AND {% endif %}{% endfor %};
