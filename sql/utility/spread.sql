-- utility/spread.sql: how many released rows each value stands for, where a label counts in equal parts
-- for each value of the original that it covers.
--
-- in:      ppdt_axis_value (code, place, n_rows); ppdt_covered (label_id, lo_code, hi_code);
--          ppdt_behind (label_id, n_rows, n_values)
-- out:     ppdt_spread (code, place, n_rows, n_released)
--          one row per value
-- keeps:   a label that covers no value of the original counts where it begins
WITH step AS (
    SELECT covered.lo_code AS code, CAST(behind.n_rows / CAST(behind.n_values AS DOUBLE) AS DECIMAL(38, 12)) AS n_more
    FROM ppdt_covered AS covered
    INNER JOIN ppdt_behind AS behind ON behind.label_id = covered.label_id AND behind.n_values > 0
    UNION ALL
    SELECT covered.hi_code + 1, -CAST(behind.n_rows / CAST(behind.n_values AS DOUBLE) AS DECIMAL(38, 12))
    FROM ppdt_covered AS covered
    INNER JOIN ppdt_behind AS behind ON behind.label_id = covered.label_id AND behind.n_values > 0
),

stepped AS (
    SELECT code, sum(n_more) AS n_more
    FROM step
    GROUP BY code
),

beside AS (
    SELECT least_code AS code, CAST(sum(n_rows) AS DECIMAL(38, 12)) AS n_rows
    FROM (
        SELECT min(covered.lo_code) AS least_code, any_value(behind.n_rows) AS n_rows
        FROM ppdt_covered AS covered
        INNER JOIN ppdt_behind AS behind ON behind.label_id = covered.label_id AND behind.n_values = 0
        GROUP BY covered.label_id
    ) AS label
    GROUP BY least_code
)

SELECT
    value.code,
    value.place,
    value.n_rows,
    CASE WHEN value.n_rows > 0
        THEN coalesce(sum(stepped.n_more) OVER (ORDER BY value.code ASC ROWS UNBOUNDED PRECEDING), 0)
        ELSE 0 END + coalesce(beside.n_rows, 0) AS n_released
FROM ppdt_axis_value AS value
LEFT JOIN stepped ON stepped.code = value.code
LEFT JOIN beside ON beside.code = value.code;
