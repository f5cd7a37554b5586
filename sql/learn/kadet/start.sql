-- learn/kadet/start.sql: the spans that a tree of one leaf has already, where they are too small.
--
-- in:      ppdt_unit (target, weight)
-- out:     ppdt_start (n_small, least_rows)
--          one row
-- params:  $least_rows, $has_classes
WITH span AS (
    SELECT CAST(sum(weight) // 1000000 AS BIGINT) AS n_rows
    FROM ppdt_unit
    GROUP BY CASE WHEN $has_classes THEN target ELSE 0 END
)

SELECT
    CAST(count(*) FILTER (WHERE n_rows < $least_rows) AS BIGINT) AS n_small,
    min(n_rows) AS least_rows
FROM span;
