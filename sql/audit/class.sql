-- audit/class.sql: the size of every class of a release.
--
-- in:      the release
-- out:     ppdt_class (n_rows, is_suppressed)
--          one row per class: rows that show the same in every quasi-identifier
-- keeps:   NULL is a value; a class is suppressed where every quasi-identifier is NULL
WITH class AS (
    SELECT
        {% include "form/group.sql" %},
        count(*) AS n_rows
    FROM {{ release }} AS release
    GROUP BY ALL
)

SELECT
    n_rows,
    {% for column in quasi %}{{ ("g%d" % loop.index0) | ident }} IS NULL{% if not loop.last %} AND {% endif %}{% endfor %} AS is_suppressed
FROM class;
