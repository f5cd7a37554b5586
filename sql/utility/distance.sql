-- utility/distance.sql: how far a column's values are spread differently in the release and the original.
--
-- in:      ppdt_spread (code, place, n_rows, n_released)
-- out:     ppdt_distance (total_variation, wasserstein)
--          one row: half the sum of the differences of shares; the mean distance that numbers are moved, on
--          an axis from 0 to 1
-- keeps:   what lies on no axis counts in the one and not in the other
WITH whole AS (
    SELECT
        CAST(sum(n_rows) AS DOUBLE) AS n_rows,
        CAST(sum(n_released) AS DOUBLE) AS n_released,
        CAST(sum(n_rows) FILTER (WHERE place IS NOT NULL) AS DOUBLE) AS n_numbers,
        CAST(sum(n_released) FILTER (WHERE place IS NOT NULL) AS DOUBLE) AS n_released_numbers
    FROM ppdt_spread
),

ahead AS (
    SELECT
        CAST(sum(n_rows) OVER in_order AS DOUBLE) AS n_rows,
        CAST(sum(n_released) OVER in_order AS DOUBLE) AS n_released,
        CAST(lead(place) OVER in_order - place AS DOUBLE) AS gap
    FROM ppdt_spread
    WHERE place IS NOT NULL
    WINDOW in_order AS (ORDER BY code ASC ROWS UNBOUNDED PRECEDING)
)

SELECT
    round(CAST((SELECT sum(CAST(abs(spread.n_released / nullif(whole.n_released, 0) - spread.n_rows / nullif(whole.n_rows, 0)) AS DECIMAL(38, 15)))
        FROM ppdt_spread AS spread) AS DOUBLE) / 2, 9) AS total_variation,
    round(CAST((SELECT sum(CAST(abs(ahead.n_released / nullif(whole.n_released_numbers, 0) - ahead.n_rows / nullif(whole.n_numbers, 0)) * ahead.gap AS DECIMAL(38, 15)))
        FROM ahead) AS DOUBLE), 9) AS wasserstein
FROM whole;
