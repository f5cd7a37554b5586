-- methods/microaggregate/member.sql: the rows of the new clusters.
--
-- in:      ppdt_taken (row_id, class_id)
-- out:     ppdt_member (row_id, class_id)
--          one row per row that a cluster has taken
SELECT row_id, class_id
FROM ppdt_taken;
