-- sets/given.sql: the distribution of the original values, as the caller gives it.
--
-- in:      nothing
-- out:     ppdt_given (shown, n_rows)
--          one row per value
-- params:  $values, $counts
SELECT
    unnest(CAST($values AS VARCHAR[])) AS shown,
    unnest(CAST($counts AS BIGINT[])) AS n_rows;
