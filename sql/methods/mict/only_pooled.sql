-- methods/mict/only_pooled.sql: the pooled rows alone.
--
-- in:      ppdt_coarse (row_id, class_id)
-- out:     ppdt_only_pooled (row_id, class_id)
--          one row per row of a leaf that does not comply
SELECT row_id, class_id
FROM ppdt_coarse
WHERE class_id = -1;
