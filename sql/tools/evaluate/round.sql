-- tools/evaluate/round.sql: every round of an evaluation as a relation.
--
-- in:      nothing
-- out:     ppdt_round (learner, data, k, repeat, fold, n_rows, n_right, accuracy, size, gcp)
--          one row per round of one learner on one kind of data
-- params:  $learner, $data, $k, $repeat, $fold, $rows, $right, $accuracy, $size, $gcp
SELECT
    unnest(CAST($learner AS VARCHAR[])) AS learner,
    unnest(CAST($data AS VARCHAR[])) AS data,
    unnest(CAST($k AS INTEGER[])) AS k,
    unnest(CAST($repeat AS INTEGER[])) AS repeat,
    unnest(CAST($fold AS INTEGER[])) AS fold,
    unnest(CAST($rows AS BIGINT[])) AS n_rows,
    unnest(CAST($right AS BIGINT[])) AS n_right,
    unnest(CAST($accuracy AS DOUBLE[])) AS accuracy,
    unnest(CAST($size AS BIGINT[])) AS size,
    unnest(CAST($gcp AS DOUBLE[])) AS gcp;
