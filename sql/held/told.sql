-- held/told.sql: how often which class is taken for which, by a model in memory.
--
-- in:      nothing
-- out:     ppdt_told (truth, prediction, n_rows)
--          one row per (truth, prediction) that occurs
-- params:  $truths, $predictions, $n_rows
SELECT
    CAST(unnest($truths) AS VARCHAR) AS truth,
    CAST(unnest($predictions) AS VARCHAR) AS prediction,
    CAST(unnest($n_rows) AS BIGINT) AS n_rows;
