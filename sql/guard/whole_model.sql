-- guard/whole_model.sql: what the whole table offers of the models that no class can keep unless it does.
--
-- in:      ppdt_whole_share (kind, n_rows, n_total)
-- out:     ppdt_whole_model (kind, entropy_l, alpha, recursive_c)
--          one row per kind
-- keeps:   recursive_c is NULL where the table has fewer than l values
SELECT
    kind,
    round(exp(ln(any_value(n_total)) - CAST(sum(CAST(n_rows * ln(n_rows) AS DECIMAL(38, 12))) AS DOUBLE)
        / any_value(n_total)), 12) AS entropy_l,
    round(max(n_rows) / CAST(any_value(n_total) AS DOUBLE), 12) AS alpha,
    round(max(n_rows) / CAST(nullif(any_value(n_total)
        - list_sum(max(n_rows, {{ n_top | literal }})), 0) AS DOUBLE), 12) AS recursive_c
FROM ppdt_whole_share
GROUP BY kind
ORDER BY kind ASC;
