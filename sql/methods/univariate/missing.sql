-- methods/univariate/missing.sql: the class of every row that holds no finite number.
--
-- in:      ppdt_point (row_id, v<i>); ppdt_member (class_id)
-- out:     ppdt_missing (row_id, class_id)
--          one row per row that holds no finite number
-- params:  $is_apart
-- keeps:   a class of their own, or the smallest one; equally small: the first
WITH smallest AS (
    SELECT class_id
    FROM (
        SELECT class_id, count(*) AS n_rows
        FROM ppdt_member
        GROUP BY class_id
    ) AS class
    ORDER BY n_rows ASC, class_id ASC
    LIMIT 1
)

SELECT point.row_id, CASE WHEN $is_apart THEN 0 ELSE smallest.class_id END AS class_id
FROM ppdt_point AS point
CROSS JOIN smallest
WHERE point.{{ axis.column | ident }} IS NULL;
