-- audit/subject_before.sql: how many people share each combination of quasi-identifiers in the original.
--
-- in:      the original
-- out:     ppdt_subject_before (class_id, n_rows, n_subjects)
--          one row per combination
-- keeps:   NULL is a value; people are rows, or the different entities where rows have one
SELECT
    row_number() OVER (ORDER BY count(*) ASC) AS class_id,
    count(*) AS n_rows,
    {%+ if entity is none %}count(*){% else %}count(DISTINCT original.{{ entity | ident }})
        + max(CAST(original.{{ entity | ident }} IS NULL AS INTEGER)){% endif %} AS n_subjects
FROM {{ original }} AS original
GROUP BY {% for column in before %}original.{{ column.name | ident }}{% if column.is_text %} COLLATE "binary"{% endif %}{{ comma(loop) }}{% endfor %};
