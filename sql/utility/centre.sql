-- utility/centre.sql: the squared errors of numbers that stand for the mean of their rows.
--
-- in:      ppdt_label_piece (n_rows, lo, is_all); ppdt_covered (n_rows, lo_code); ppdt_axis_value (code, place);
--          ppdt_cumulative (n_rows, n_numbers, x, xx)
-- out:     ppdt_centre (sse, il)
--          one row; NULL where the numbers cannot be means of the original's rows
-- keeps:   the rows' squares about the mean of all - the means' squares about it; a suppressed cell stands
--          for the mean of all; on an axis from 0 to 1
-- paper:   Domingo-Ferrer, Mateo-Sanz 2002 (SSE = SST - SSA)
WITH whole AS (
    SELECT
        max(n_rows) AS n_rows,
        max(n_numbers) AS n_numbers,
        CAST(max(x) AS DOUBLE) / nullif(max(n_numbers), 0) AS mean,
        CAST(max(xx) AS DOUBLE) - CAST(max(x) AS DOUBLE) * CAST(max(x) AS DOUBLE) / nullif(max(n_numbers), 0) AS squares
    FROM ppdt_cumulative
),

piece AS (
    SELECT CAST(sum(n_rows) AS BIGINT) AS n_rows, coalesce(sum(n_rows) FILTER (WHERE is_all), 0) AS n_suppressed
    FROM ppdt_label_piece
),

among AS (
    SELECT
        coalesce(sum(covered.n_rows), 0) AS n_numbers,
        coalesce(CAST(sum(CAST(covered.n_rows * power(CAST(value.place AS DOUBLE) - (SELECT mean FROM whole), 2) AS DECIMAL(38, 12))) AS DOUBLE), 0) AS squares
    FROM ppdt_covered AS covered
    INNER JOIN ppdt_axis_value AS value ON value.code = covered.lo_code
    WHERE value.place IS NOT NULL AND covered.label_id > 0
)

SELECT
    CASE WHEN whole.n_numbers > 0 AND piece.n_rows = whole.n_rows AND among.n_numbers + piece.n_suppressed >= whole.n_numbers
        AND among.n_numbers <= whole.n_numbers AND whole.squares - among.squares >= -1e-6
        THEN round(greatest(whole.squares - among.squares, 0), 9) END AS sse,
    CASE WHEN whole.n_numbers > 0 AND piece.n_rows = whole.n_rows AND among.n_numbers + piece.n_suppressed >= whole.n_numbers
        AND among.n_numbers <= whole.n_numbers AND whole.squares - among.squares >= -1e-6
        THEN round(greatest(whole.squares - among.squares, 0) / nullif(whole.squares, 0), 9) END AS il
FROM whole
CROSS JOIN piece
CROSS JOIN among;
