-- methods/univariate/settled.sql: the class of every row that holds a finite number.
--
-- in:      ppdt_sorted_point (place, row_id); ppdt_boundary (block_id, entry)
-- out:     ppdt_member (row_id, class_id)
--          one row per row that holds a finite number
-- params:  $k
-- keeps:   classes count upwards along the line, from 1
WITH cut AS (
    SELECT block_id * $k + entry + 1 AS place
    FROM ppdt_boundary
    WHERE entry < $k
)

SELECT
    point.row_id,
    count(cut.place) OVER (ORDER BY point.place ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS class_id
FROM ppdt_sorted_point AS point
LEFT JOIN cut ON cut.place = point.place;
