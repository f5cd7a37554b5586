-- methods/mondrian/balance.sql: for each node and attribute, the allowed cut nearest to the median.
--
-- in:      ppdt_allowed (node_id, attribute_id, at_code, n_rows_left, n_rows_right)
-- out:     ppdt_balance (node_id, attribute_id, at_code)
--          one row per (node_id, attribute_id) with an allowed cut
-- keeps:   equally near: the lower code
WITH ranked AS (
    SELECT
        node_id,
        attribute_id,
        at_code,
        row_number() OVER (
            PARTITION BY node_id, attribute_id
            ORDER BY abs(n_rows_left - n_rows_right) ASC, at_code ASC
        ) AS place
    FROM ppdt_allowed
)

SELECT node_id, attribute_id, at_code
FROM ranked
WHERE place = 1;
