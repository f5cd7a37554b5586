-- audit/subject.sql: how many people each class holds.
--
-- in:      ppdt_class (class_id, n_rows, g<i>); the release with its entities, which only the audit sees
-- out:     ppdt_subject (class_id, n_rows, n_subjects)
--          one row per class
-- keeps:   people are rows, or the different entities where rows have one; rows without an entity count as one,
--          all together; what a file shows and what stands behind it meet as text
{% if entity is none %}
SELECT class_id, n_rows, n_rows AS n_subjects
FROM ppdt_class
{% else %}
WITH held AS (
    SELECT
        {%+ include "lib/fragments/group.sql" %},
        count(DISTINCT release.{{ entity | ident }})
            + max(CAST(release.{{ entity | ident }} IS NULL AS INTEGER)) AS n_subjects
    FROM {{ release }} AS release
    GROUP BY ALL
)

SELECT class.class_id, class.n_rows, max(held.n_subjects) AS n_subjects
FROM ppdt_class AS class
INNER JOIN held
    ON {% for column in quasi %}{% if not loop.first %}

        AND {% endif %}CAST(held.{{ column.group | ident }} AS VARCHAR) IS NOT DISTINCT FROM CAST(class.{{ column.group | ident }} AS VARCHAR)
    {%- endfor %}

GROUP BY class.class_id, class.n_rows
{% endif %};
