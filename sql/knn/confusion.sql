-- knn/confusion.sql: how often which class was taken for which.
--
-- in:      ppdt_asked_place (row_id, answer, n_rows); ppdt_vote (row_id, answer)
-- out:     ppdt_confusion (truth, class_id, n_rows)
--          one row per (truth, class_id) that occurs
SELECT asked.answer AS truth, vote.answer AS class_id, CAST(sum(asked.n_rows) AS BIGINT) AS n_rows
FROM ppdt_asked_place AS asked
INNER JOIN ppdt_vote AS vote ON vote.row_id = asked.row_id
GROUP BY asked.answer, vote.answer
ORDER BY truth ASC NULLS FIRST, class_id ASC;
