-- methods/mict/n_pooled.sql: how many rows are in the pool.
--
-- in:      ppdt_coarse (class_id)
-- out:     ppdt_n_pooled (n_rows)
--          one row
SELECT count(*) AS n_rows
FROM ppdt_coarse
WHERE class_id = -1;
