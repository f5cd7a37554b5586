-- methods/mondrian/balanced.sql: for each node, on its widest attribute that has an allowed cut, the allowed
-- cut nearest to the median.
--
-- in:      ppdt_allowed (node_id, attribute_id, at_code, width, n_rows_left, n_rows_right)
-- out:     ppdt_cut (node_id, attribute_id, at_code)
--          one row per node that has an allowed cut
-- keeps:   equally near: the lower code
WITH ranked AS (
    SELECT
        node_id,
        attribute_id,
        at_code,
        row_number() OVER (
            PARTITION BY node_id
            ORDER BY
                width DESC,
                attribute_id ASC,
                abs(n_rows_left - n_rows_right) ASC,
                at_code ASC
        ) AS place
    FROM ppdt_allowed
)

SELECT node_id, attribute_id, at_code
FROM ranked
WHERE place = 1;
