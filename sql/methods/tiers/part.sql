-- methods/tiers/part.sql: what every part holds: its own rows, those that it lends too, and what it borrows.
--
-- in:      ppdt_leaf (cell_id, leaf_id); ppdt_cell (cell_id, n_rows); ppdt_borrowed (part_id, cell_id)
-- out:     ppdt_part (class_id, cell_id, n_rows)
--          one row per (class_id, cell_id); here a class is a part
SELECT CAST(leaf.leaf_id AS BIGINT) AS class_id, leaf.cell_id, CAST(cell.n_rows AS BIGINT) AS n_rows
FROM ppdt_leaf AS leaf
INNER JOIN ppdt_cell AS cell ON cell.cell_id = leaf.cell_id
UNION ALL
SELECT CAST(part_id AS BIGINT) AS class_id, cell_id, CAST(count(*) AS BIGINT) AS n_rows
FROM ppdt_borrowed
GROUP BY part_id, cell_id;
