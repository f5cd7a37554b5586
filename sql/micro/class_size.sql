-- micro/class_size.sql: how many rows every class holds.
--
-- in:      ppdt_member (class_id)
-- out:     ppdt_group (group_id, n_rows)
--          one row per class
SELECT class_id AS group_id, count(*) AS n_rows
FROM ppdt_member
GROUP BY class_id;
