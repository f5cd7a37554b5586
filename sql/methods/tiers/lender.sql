-- methods/tiers/lender.sql: the rows that are lent, each with all parts that borrow it.
--
-- in:      ppdt_borrowed (part_id, row_id, own_id)
-- out:     ppdt_lender (row_id, own_id, part_ids)
--          one row per row that is lent
SELECT row_id, own_id, list(part_id ORDER BY part_id ASC) AS part_ids
FROM ppdt_borrowed
GROUP BY row_id, own_id;
