-- encode/totals.sql: check that encoding kept every row.
--
-- in:      ppdt_cell (n_rows)
-- out:     ppdt_totals (n_cells, n_rows)
--          one row
SELECT count(*) AS n_cells, CAST(coalesce(sum(n_rows), 0) AS BIGINT) AS n_rows
FROM ppdt_cell;
