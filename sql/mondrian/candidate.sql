-- mondrian/candidate.sql: every cut that a histogram offers: codes up to at_code go left.
--
-- in:      ppdt_histogram (node_id, attribute_id, code, n_rows); ppdt_pick (node_id, n_rows, attribute_id, width)
-- out:     ppdt_candidate (node_id, attribute_id, at_code, width, n_rows_left, n_rows_right, is_median)
--          one row per (node_id, attribute_id, at_code); the last code of a node is no cut
-- keeps:   the median is the code at position ceil(n / 2)
WITH running AS (
    SELECT
        histogram.node_id,
        histogram.attribute_id,
        histogram.code,
        pick.width,
        histogram.n_rows,
        pick.n_rows AS n_rows_node,
        CAST(sum(histogram.n_rows) OVER (
            PARTITION BY histogram.node_id, histogram.attribute_id
            ORDER BY histogram.code ASC
        ) AS BIGINT) AS n_rows_left
    FROM ppdt_histogram AS histogram
    INNER JOIN ppdt_pick AS pick
        ON pick.node_id = histogram.node_id AND pick.attribute_id = histogram.attribute_id
)

SELECT
    node_id,
    attribute_id,
    code AS at_code,
    width,
    n_rows_left,
    n_rows_node - n_rows_left AS n_rows_right,
    2 * n_rows_left >= n_rows_node AND 2 * (n_rows_left - n_rows) < n_rows_node AS is_median
FROM running
WHERE n_rows_left < n_rows_node;
