-- methods/univariate/sorted_point.sql: the finite numbers in order, with the sums up to each row.
--
-- in:      ppdt_point (row_id, v<i>)
-- out:     ppdt_sorted_point (place, row_id, step, total, squares)
--          one row per row that holds a finite number
-- params:  $shift
-- keeps:   places count from 1; equal numbers stand in the order of their keys; sums are exact
WITH step AS (
    SELECT row_id, CAST({{ axis.column | ident }} AS BIGINT) >> $shift AS step
    FROM ppdt_point
    WHERE {{ axis.column | ident }} IS NOT NULL
),

placed AS (
    SELECT row_id, step, row_number() OVER (ORDER BY step ASC, row_id ASC) AS place
    FROM step
)

SELECT
    place,
    row_id,
    CAST(step AS HUGEINT) AS step,
    CAST(sum(CAST(step AS HUGEINT)) OVER running AS HUGEINT) AS total,
    CAST(sum(CAST(step AS HUGEINT) * CAST(step AS HUGEINT)) OVER running AS HUGEINT) AS squares
FROM placed
WINDOW running AS (ORDER BY place ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW);
