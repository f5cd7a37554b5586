-- audit/size.sql: what the sizes of the classes say about a release.
--
-- in:      ppdt_class (n_rows, is_suppressed)
-- out:     ppdt_size (k, k_without_suppressed, classes, classes_without_suppressed, n_rows, rows_suppressed, class_max,
--          rows_unique, rows_at_risk, discernibility, discernibility_with_suppressed)
--          one row
-- params:  $risk_threshold
SELECT
    min(n_rows) AS k,
    min(n_rows) FILTER (WHERE NOT is_suppressed) AS k_without_suppressed,
    count(*) AS classes,
    count(*) FILTER (WHERE NOT is_suppressed) AS classes_without_suppressed,
    CAST(coalesce(sum(n_rows), 0) AS BIGINT) AS n_rows,
    CAST(coalesce(sum(n_rows) FILTER (WHERE is_suppressed), 0) AS BIGINT) AS rows_suppressed,
    max(n_rows) AS class_max,
    count(*) FILTER (WHERE n_rows = 1) AS rows_unique,
    CAST(coalesce(sum(n_rows) FILTER (WHERE 1.0 / n_rows > $risk_threshold), 0) AS BIGINT) AS rows_at_risk,
    CAST(coalesce(sum(CAST(n_rows AS HUGEINT) * n_rows) FILTER (WHERE NOT is_suppressed), 0) AS HUGEINT) AS discernibility,
    CAST(coalesce(sum(CAST(n_rows AS HUGEINT) * n_rows), 0) AS HUGEINT) AS discernibility_with_suppressed
FROM ppdt_class;
