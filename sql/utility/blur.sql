-- utility/blur.sql: what labels leave open of the values that they stand for.
--
-- in:      ppdt_behind (n_rows, n_behind, n_ln_n, n_numbers, x, xx);
--          ppdt_cumulative (n_rows, n_numbers, x, xx)
-- out:     ppdt_blur (non_uniform_entropy, sse, il)
--          one row: bits per cell; squared errors on an axis from 0 to 1, and their share of the whole
-- keeps:   a label stands for the original's values that it covers, as frequent as they are there; where
--          more rows show one than the original has behind it, it is not true: nothing is measured
-- paper:   Gionis, Tassa 2009 (non-uniform entropy); Domingo-Ferrer, Mateo-Sanz 2002 (SSE / SST)
WITH label AS (
    SELECT
        n_rows,
        n_behind,
        ln(n_behind) - CAST(n_ln_n AS DOUBLE) / nullif(n_behind, 0) AS entropy,
        n_rows / CAST(nullif(n_behind, 0) AS DOUBLE) AS share,
        n_numbers,
        greatest(CAST(xx AS DOUBLE) - CAST(x AS DOUBLE) * CAST(x AS DOUBLE) / nullif(n_numbers, 0), 0) AS squares
    FROM ppdt_behind
    WHERE n_behind > 0
),

whole AS (
    SELECT
        (SELECT count(*) FROM ppdt_behind WHERE n_behind < n_rows) AS n_beyond,
        max(n_rows) AS n_rows,
        max(n_numbers) AS n_numbers,
        greatest(CAST(max(xx) AS DOUBLE) - CAST(max(x) AS DOUBLE) * CAST(max(x) AS DOUBLE) / nullif(max(n_numbers), 0), 0) AS squares
    FROM ppdt_cumulative
)

SELECT
    CASE WHEN any_value(whole.n_beyond) = 0 THEN round(greatest(
        CAST(sum(CAST(label.n_rows * label.entropy AS DECIMAL(38, 12))) AS DOUBLE) / sum(label.n_rows) / ln(2), 0), 9) END AS non_uniform_entropy,
    CASE WHEN any_value(whole.n_beyond) = 0 AND any_value(whole.n_numbers) > 0
        THEN round(CAST(sum(CAST(label.share * coalesce(label.squares, 0) AS DECIMAL(38, 12))) AS DOUBLE), 9) END AS sse,
    CASE WHEN any_value(whole.n_beyond) = 0 THEN round(
        CAST(sum(CAST(label.share * coalesce(label.squares, 0) AS DECIMAL(38, 12))) AS DOUBLE)
        / nullif(CAST(sum(CAST(label.share * label.n_numbers AS DECIMAL(38, 12))) AS DOUBLE)
        * any_value(whole.squares) / nullif(any_value(whole.n_numbers), 0), 0), 9) END AS il
FROM label
CROSS JOIN whole;
