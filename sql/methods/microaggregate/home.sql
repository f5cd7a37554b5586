-- methods/microaggregate/home.sql: the part in which every class lies.
--
-- in:      ppdt_member (row_id, class_id); ppdt_coarse (row_id, class_id)
-- out:     ppdt_home (class_id, part_id)
--          one row per class
SELECT member.class_id, CAST(max(coarse.class_id) AS BIGINT) AS part_id
FROM ppdt_member AS member
INNER JOIN ppdt_coarse AS coarse ON coarse.row_id = member.row_id
GROUP BY member.class_id;
