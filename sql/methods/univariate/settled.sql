-- line/settled.sql: the class of every row that holds a finite number.
--
-- in:      ppdt_post (place, row_id); ppdt_stop (block_id, entry)
-- out:     ppdt_member (row_id, class_id)
--          one row per row that holds a finite number
-- params:  $k
-- keeps:   classes count upwards along the line, from 1
WITH cut AS (
    SELECT block_id * $k + entry + 1 AS place
    FROM ppdt_stop
    WHERE entry < $k
)

SELECT
    post.row_id,
    count(cut.place) OVER (ORDER BY post.place ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS class_id
FROM ppdt_post AS post
LEFT JOIN cut ON cut.place = post.place;
