-- methods/tiers/lent.sql: how many parts borrow, and how many rows are lent.
--
-- in:      ppdt_borrowed (part_id, row_id)
-- out:     ppdt_lent_count (n_parts, n_rows)
--          one row
SELECT count(DISTINCT part_id) AS n_parts, count(DISTINCT row_id) AS n_rows
FROM ppdt_borrowed;
