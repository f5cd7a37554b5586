-- audit/size.sql: what the sizes of the classes say about a release.
--
-- in:      ppdt_sized (n_rows, n_subjects, is_suppressed)
-- out:     ppdt_size (k, k_rows, k_without_suppressed, classes, classes_without_suppressed, n_rows, n_subjects,
--          rows_suppressed, class_max, unique_subjects, subjects_at_risk, discernibility,
--          discernibility_with_suppressed, population_uniqueness)
--          one row
-- params:  $risk_threshold, $sampling
-- keeps:   subjects are rows, or the entities of a class where rows have one; population_uniqueness is NULL
--          unless the sampling fraction is given
-- paper:   Zayatz 1991 (the share of sample uniques that are unique in the population)
SELECT
    min(n_subjects) AS k,
    min(n_rows) AS k_rows,
    min(n_subjects) FILTER (WHERE NOT is_suppressed) AS k_without_suppressed,
    count(*) AS classes,
    count(*) FILTER (WHERE NOT is_suppressed) AS classes_without_suppressed,
    CAST(coalesce(sum(n_rows), 0) AS BIGINT) AS n_rows,
    CAST(coalesce(sum(n_subjects), 0) AS BIGINT) AS n_subjects,
    CAST(coalesce(sum(n_rows) FILTER (WHERE is_suppressed), 0) AS BIGINT) AS rows_suppressed,
    max(n_rows) AS class_max,
    count(*) FILTER (WHERE n_subjects = 1) AS unique_subjects,
    CAST(coalesce(sum(n_subjects) FILTER (WHERE 1.0 / n_subjects > $risk_threshold), 0) AS BIGINT) AS subjects_at_risk,
    CAST(coalesce(sum(CAST(n_rows AS HUGEINT) * n_rows) FILTER (WHERE NOT is_suppressed), 0) AS HUGEINT) AS discernibility,
    CAST(coalesce(sum(CAST(n_rows AS HUGEINT) * n_rows), 0) AS HUGEINT) AS discernibility_with_suppressed,
    round(
        CAST(count(*) FILTER (WHERE n_subjects = 1) AS DOUBLE) / nullif(sum(n_subjects), 0)
        * (count(*) FILTER (WHERE n_subjects = 1) * CAST($sampling AS DOUBLE))
        / nullif(CAST(sum(CAST(
            n_subjects * CAST($sampling AS DOUBLE) * power(1 - CAST($sampling AS DOUBLE), n_subjects - 1)
            AS DECIMAL(38, 12))) AS DOUBLE), 0), 12) AS population_uniqueness
FROM ppdt_sized;
