-- methods/kactus/parent.sql: the group that every finer class is a part of.
--
-- in:      ppdt_member (row_id, class_id); ppdt_coarse (row_id, class_id)
-- out:     ppdt_parent (class_id, group_id)
--          one row per class
SELECT DISTINCT member.class_id, coarse.class_id AS group_id
FROM ppdt_member AS member
INNER JOIN ppdt_coarse AS coarse ON coarse.row_id = member.row_id;
