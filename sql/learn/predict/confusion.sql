-- held/confusion.sql: how often which class was taken for which.
--
-- in:      ppdt_told (truth, prediction, n_rows)
-- out:     ppdt_confusion (truth, prediction, n_rows)
--          one row per (truth, prediction) that occurs
SELECT truth, prediction, n_rows
FROM ppdt_told
ORDER BY truth ASC NULLS FIRST, prediction ASC;
