-- methods/mict/kept.sql: the classes of the rows that show what they hold.
--
-- in:      ppdt_own (row_id, class_id)
-- out:     ppdt_member (row_id, class_id)
--          one row per row of a complying leaf
SELECT row_id, class_id
FROM ppdt_own;
