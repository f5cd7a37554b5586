-- methods/microaggregate/rest.sql: what is left of a part when no more clusters fit becomes its last cluster.
--
-- in:      ppdt_point (part_id, row_id)
-- out:     ppdt_taken (part_id, class_id, row_id)
--          one row per row of a part that has at least $k of them left
-- params:  $k
WITH last AS (
    SELECT part_id, min(row_id) AS class_id
    FROM ppdt_point
    GROUP BY part_id
    HAVING count(*) >= $k
)

SELECT point.part_id, last.class_id, point.row_id
FROM ppdt_point AS point
INNER JOIN last ON last.part_id = point.part_id;
