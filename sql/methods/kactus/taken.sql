-- methods/kactus/taken.sql: how many rows were drawn from where to where.
--
-- in:      ppdt_drawn_row (row_id, from_id, to_id)
-- out:     ppdt_taken (from_id, to_id, n_rows)
--          one row per (from_id, to_id)
SELECT from_id, to_id, count(*) AS n_rows
FROM ppdt_drawn_row
GROUP BY from_id, to_id
ORDER BY from_id ASC, to_id ASC;
