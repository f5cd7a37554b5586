-- utility/behind.sql: what of the original each label stands for.
--
-- in:      ppdt_covered (label_id, n_rows, lo_code, hi_code);
--          ppdt_cumulative (code, n_rows, n_values, n_ln_n, n_numbers, x, xx)
-- out:     ppdt_behind (label_id, n_rows, n_behind, n_values, n_ln_n, n_numbers, x, xx)
--          one row per label: n_rows show it, n_behind rows of the original hold what it covers
SELECT
    covered.label_id,
    any_value(covered.n_rows) AS n_rows,
    CAST(sum(high.n_rows - coalesce(low.n_rows, 0)) AS BIGINT) AS n_behind,
    CAST(sum(high.n_values - coalesce(low.n_values, 0)) AS BIGINT) AS n_values,
    sum(high.n_ln_n - coalesce(low.n_ln_n, 0)) AS n_ln_n,
    CAST(sum(high.n_numbers - coalesce(low.n_numbers, 0)) AS BIGINT) AS n_numbers,
    sum(high.x - coalesce(low.x, 0)) AS x,
    sum(high.xx - coalesce(low.xx, 0)) AS xx
FROM ppdt_covered AS covered
INNER JOIN ppdt_cumulative AS high ON high.code = covered.hi_code
LEFT JOIN ppdt_cumulative AS low ON low.code = covered.lo_code - 1
GROUP BY covered.label_id;
