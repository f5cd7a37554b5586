-- audit/sensitive_whole.sql: how many rows and how many sensitive values the whole release has.
--
-- in:      ppdt_sensitive_value (n_rows, n_upto, n_below); ppdt_class_total (n_values)
-- out:     ppdt_sensitive_whole (n_values, n_total, whole_below, distinct_l)
--          one row; whole_below sums the running counts of all values, distinct_l is of the poorest class
SELECT
    count(*) AS n_values,
    CAST(coalesce(sum(n_rows), 0) AS BIGINT) AS n_total,
    coalesce(max(n_below + n_upto), 0) AS whole_below,
    (SELECT min(n_values) FROM ppdt_class_total) AS distinct_l
FROM ppdt_sensitive_value;
