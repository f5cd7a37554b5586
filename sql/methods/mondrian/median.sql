-- methods/mondrian/median.sql: for each attribute looked at, the median, and how many of its rows go left.
--
-- in:      ppdt_histogram (node_id, attribute_id, code, n_rows); ppdt_pick (node_id, n_rows, attribute_id, width)
-- out:     ppdt_median (node_id, attribute_id, at_code, width, n_equal_left)
--          one row per (node_id, attribute_id)
-- keeps:   ceil(n / 2) rows go left in all
WITH running AS (
    SELECT
        histogram.node_id,
        histogram.attribute_id,
        histogram.code,
        pick.width,
        histogram.n_rows,
        (pick.n_rows + 1) // 2 AS n_rows_left,
        CAST(sum(histogram.n_rows) OVER (
            PARTITION BY histogram.node_id, histogram.attribute_id
            ORDER BY histogram.code ASC
        ) AS BIGINT) AS n_rows_upto
    FROM ppdt_histogram AS histogram
    INNER JOIN ppdt_pick AS pick
        ON pick.node_id = histogram.node_id AND pick.attribute_id = histogram.attribute_id
)

SELECT
    node_id,
    attribute_id,
    code AS at_code,
    width,
    n_rows_left - (n_rows_upto - n_rows) AS n_equal_left
FROM running
WHERE n_rows_upto >= n_rows_left AND n_rows_upto - n_rows < n_rows_left;
