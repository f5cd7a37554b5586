-- audit/class.sql: the classes of a release: rows that show the same in every quasi-identifier.
--
-- in:      the release
-- out:     ppdt_class (class_id, n_rows, is_suppressed, g<i>)
--          one row per class
-- params:  $salt
-- keeps:   NULL is a value; a class is suppressed where every quasi-identifier is NULL; the id follows
--          from the values, each hashed for itself, since lists in one hash run into each other ([1, 2], [3]
--          as [1], [2, 3]), and lists with their length; the auditor checks that no two classes share one
WITH class AS (
    SELECT
        {% include "form/group.sql" %},
        count(*) AS n_rows
    FROM {{ release }} AS release
    GROUP BY ALL
)

SELECT
    hash($salt{% for column in quasi %}, hash($salt, {{ column.group | ident }}{% if column.is_list %}, array_length({{ column.group | ident }}){% endif %}){% if column.by_text %}, hash({{ (column.group ~ "_text") | ident }}){% endif %}{% endfor %}) AS class_id,
    n_rows,
    {% for column in quasi %}{{ column.group | ident }} IS NULL{% if not loop.last %} AND {% endif %}{% endfor %} AS is_suppressed{% for column in quasi %},
    {{ column.group | ident }}
{%- endfor %}

FROM class;
