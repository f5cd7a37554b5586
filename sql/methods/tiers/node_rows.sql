-- methods/tiers/node_rows.sql: how many rows lie under every node.
--
-- in:      ppdt_leaf (cell_id, leaf_id); ppdt_cell (cell_id, n_rows); ppdt_above (node_id, above_id)
-- out:     ppdt_node_rows (node_id, n_rows)
--          one row per node under which rows lie
WITH leaf AS (
    SELECT leaf.leaf_id, CAST(sum(cell.n_rows) AS BIGINT) AS n_rows
    FROM ppdt_leaf AS leaf
    INNER JOIN ppdt_cell AS cell ON cell.cell_id = leaf.cell_id
    GROUP BY leaf.leaf_id
)

SELECT above.above_id AS node_id, CAST(sum(leaf.n_rows) AS BIGINT) AS n_rows
FROM leaf
INNER JOIN ppdt_above AS above ON above.node_id = leaf.leaf_id
GROUP BY above.above_id;
