-- methods/kactus/member.sql: the class in which every row is released.
--
-- in:      ppdt_row (row_id, cell_id); ppdt_leaf (cell_id, leaf_id); ppdt_pool (leaf_id, pool_id);
--          ppdt_lent (row_id, to_id); ppdt_outcome (pool_id, class_id)
-- out:     ppdt_member (row_id, class_id)
--          one row per row that is released
SELECT placed.row_id, outcome.class_id
FROM ppdt_row AS placed
INNER JOIN ppdt_leaf AS leaf ON leaf.cell_id = placed.cell_id
INNER JOIN ppdt_pool AS pool ON pool.leaf_id = leaf.leaf_id
LEFT JOIN ppdt_lent AS lent ON lent.row_id = placed.row_id
INNER JOIN ppdt_outcome AS outcome ON outcome.pool_id = coalesce(lent.to_id, pool.pool_id);
