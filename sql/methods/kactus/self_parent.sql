-- methods/kactus/self_parent.sql: every class as the group that it is a part of, where nothing is refined.
--
-- in:      ppdt_member (class_id)
-- out:     ppdt_parent (class_id, group_id)
--          one row per class
SELECT DISTINCT class_id, class_id AS group_id
FROM ppdt_member;
