-- methods/tiers/member.sql: the class of every row: its leaf, or the class of those that are lent alike.
--
-- in:      ppdt_row (row_id, cell_id); ppdt_leaf (cell_id, leaf_id); ppdt_lender (row_id, own_id, part_ids);
--          ppdt_shared (class_id, own_id, part_ids)
-- out:     ppdt_member (row_id, class_id)
--          one row per row
SELECT placed.row_id, CAST(coalesce(shared.class_id, leaf.leaf_id) AS BIGINT) AS class_id
FROM ppdt_row AS placed
INNER JOIN ppdt_leaf AS leaf ON leaf.cell_id = placed.cell_id
LEFT JOIN ppdt_lender AS lender ON lender.row_id = placed.row_id
LEFT JOIN ppdt_shared AS shared
    ON shared.own_id = lender.own_id AND shared.part_ids = lender.part_ids;
