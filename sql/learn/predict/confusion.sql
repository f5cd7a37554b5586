-- learn/predict/confusion.sql: how often which class was taken for which.
--
-- in:      ppdt_prediction (truth, prediction, n_rows)
-- out:     ppdt_confusion (truth, prediction, n_rows)
--          one row per (truth, prediction) that occurs
SELECT truth, prediction, n_rows
FROM ppdt_prediction
ORDER BY truth ASC NULLS FIRST, prediction ASC;
