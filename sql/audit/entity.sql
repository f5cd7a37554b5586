-- audit/entity.sql: the size of every class, in rows and in distinct entities.
--
-- in:      the release with its entities, which only the audit sees
-- out:     ppdt_sized (n_rows, n_subjects, is_suppressed)
--          one row per class
-- keeps:   rows without an entity count as one entity, all together
WITH class AS (
    SELECT
        {%+ include "lib/fragments/group.sql" %},
        count(*) AS n_rows,
        count(DISTINCT release.{{ entity | ident }})
            + max(CAST(release.{{ entity | ident }} IS NULL AS INTEGER)) AS n_subjects
    FROM {{ release }} AS release
    GROUP BY ALL
)

SELECT
    n_rows,
    n_subjects,
    {%+ for column in quasi %}{{ column.group | ident }} IS NULL{% if not loop.last %} AND {% endif %}{% endfor %} AS is_suppressed
FROM class;
