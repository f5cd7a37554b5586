-- learn/trees/place.sql: the thresholds of one column in order.
--
-- in:      nothing
-- out:     ppdt_order (threshold, n_below)
--          one row per threshold
-- params:  $values
WITH given AS (
    SELECT unnest($values) AS threshold
)

SELECT threshold, rank() OVER (ORDER BY CAST(threshold AS {{ type_name }}) ASC) - 1 AS n_below
FROM given;
