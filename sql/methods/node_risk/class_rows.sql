-- methods/node_risk/class_rows.sql: how many rows of each class lie in and below every node.
--
-- in:      ppdt_row (cell_id, target); ppdt_leaf (cell_id, leaf_id); ppdt_above (node_id, above_id)
-- out:     ppdt_class_rows (node_id, target, n_rows)
--          one row per (node, class) that holds rows
WITH of_leaf AS (
    SELECT leaf.leaf_id, placed.target, count(*) AS n_rows
    FROM ppdt_row AS placed
    INNER JOIN ppdt_leaf AS leaf ON leaf.cell_id = placed.cell_id
    GROUP BY leaf.leaf_id, placed.target
)

SELECT above.above_id AS node_id, of_leaf.target, CAST(sum(of_leaf.n_rows) AS BIGINT) AS n_rows
FROM of_leaf
INNER JOIN ppdt_above AS above ON above.node_id = of_leaf.leaf_id
GROUP BY above.above_id, of_leaf.target;
