-- audit/class.sql: the classes of a release: rows that show the same in every quasi-identifier.
--
-- in:      the release
-- out:     ppdt_class (class_id, n_rows, is_suppressed, g<i>)
--          one row per class
-- keeps:   NULL is a value; a class is suppressed where every quasi-identifier is NULL; classes are told apart
--          by what they show, never by a hash of it
WITH class AS (
    SELECT
        {%+ include "lib/fragments/group.sql" %},
        count(*) AS n_rows
    FROM {{ release }} AS release
    GROUP BY ALL
)

SELECT
    row_number() OVER (
        ORDER BY {% for column in quasi %}{{ column.group | ident }} ASC NULLS FIRST{% if column.by_text %}, {{ (column.group ~ "_text") | ident }} ASC NULLS FIRST{% endif %}{{ comma(loop) }}{% endfor %}

    ) AS class_id,
    n_rows,
    {%+ for column in quasi %}{{ column.group | ident }} IS NULL{% if not loop.last %} AND {% endif %}{% endfor %} AS is_suppressed{% for column in quasi %},
    {{ column.group | ident }}
{%- endfor %}

FROM class;
