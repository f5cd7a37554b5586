-- mict/without_pooled.sql: the rows of complying leaves alone.
--
-- in:      ppdt_coarse (row_id, class_id)
-- out:     ppdt_without_pooled (row_id, class_id)
--          one row per row of a leaf that complies
SELECT row_id, class_id
FROM ppdt_coarse
WHERE class_id >= 0;
