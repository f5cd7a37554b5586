-- learn/knn/prediction.sql: how often which class is taken for which.
--
-- in:      ppdt_asked_place (row_id, answer, n_rows); ppdt_answer (row_id, answer)
-- out:     ppdt_prediction (truth, prediction, n_rows)
--          one row per (truth, prediction) that occurs
-- params:  $labels, $first_class
SELECT
    asked.answer AS truth,
    $labels[vote.answer - $first_class + 1] AS prediction,
    CAST(sum(asked.n_rows) AS BIGINT) AS n_rows
FROM ppdt_asked_place AS asked
INNER JOIN ppdt_answer AS vote ON vote.row_id = asked.row_id
GROUP BY asked.answer, vote.answer;
