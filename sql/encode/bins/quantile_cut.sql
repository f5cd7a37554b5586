-- encode/bins/quantile_cut.sql: the cuts of a column into parts of equally many rows, and what lies up to each.
--
-- in:      ppdt_bin_value_<i> (code, n_rows, n_counted)
-- out:     ppdt_quantile_cut (at_code, counted_left, counted_all)
--          one row per part; the last ends at the last value
-- params:  $n_parts
-- keeps:   a value lies in one part, whatever its rows
WITH running AS (
    SELECT
        code,
        sum(n_rows) OVER (ORDER BY code ASC) - n_rows AS n_before,
        sum(n_rows) OVER () AS n_all,
        sum(n_counted) OVER (ORDER BY code ASC) AS counted_left,
        sum(n_counted) OVER () AS counted_all
    FROM {{ attribute.bin_value_relation }}
)

SELECT
    max(code) AS at_code,
    CAST(max(counted_left) AS BIGINT) AS counted_left,
    CAST(max(counted_all) AS BIGINT) AS counted_all
FROM running
GROUP BY n_before * $n_parts // n_all;
