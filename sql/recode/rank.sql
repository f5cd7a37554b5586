-- recode/rank.sql: number the classes by what they show; classes that show the same are one.
--
-- in:      ppdt_label (class_id, <label>)
-- out:     ppdt_rank (class_id, label_rank)
--          one row per class
SELECT
    class_id,
    CAST(dense_rank() OVER (
        ORDER BY {% for label in labels %}{{ label.name | ident }} ASC NULLS FIRST{{ comma(loop) }}{% endfor %}

    ) AS INTEGER) AS label_rank
FROM ppdt_label;
