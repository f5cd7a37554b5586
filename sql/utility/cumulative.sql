-- utility/cumulative.sql: what the original holds up to each value: two lookups tell of any range.
--
-- in:      ppdt_axis_value (code, place, n_rows)
-- out:     ppdt_cumulative (code, n_rows, n_values, n_ln_n, n_numbers, x, xx)
--          one row per value: rows, distinct values, and over rows with numbers the sums of places
-- keeps:   exact decimals, so that the order of the rows changes nothing
SELECT
    code,
    CAST(sum(n_rows) OVER upto AS BIGINT) AS n_rows,
    CAST(sum(CAST(n_rows > 0 AS INTEGER)) OVER upto AS BIGINT) AS n_values,
    sum(CAST(CASE WHEN n_rows > 0 THEN n_rows * ln(n_rows) ELSE 0 END AS DECIMAL(38, 12))) OVER upto AS n_ln_n,
    CAST(sum(CASE WHEN place IS NOT NULL THEN n_rows ELSE 0 END) OVER upto AS BIGINT) AS n_numbers,
    sum(CAST(CAST(n_rows AS DOUBLE) * coalesce(CAST(place AS DOUBLE), 0) AS DECIMAL(38, 12))) OVER upto AS x,
    sum(CAST(CAST(n_rows AS DOUBLE) * coalesce(CAST(place AS DOUBLE), 0) * coalesce(CAST(place AS DOUBLE), 0) AS DECIMAL(38, 12))) OVER upto AS xx
FROM ppdt_axis_value
WINDOW upto AS (ORDER BY code ASC ROWS UNBOUNDED PRECEDING);
