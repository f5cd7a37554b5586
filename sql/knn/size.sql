-- knn/size.sql: how many rows there are.
--
-- in:      a relation
-- out:     ppdt_n_rows (n_rows)
--          one row
SELECT count(*) AS n_rows
FROM {{ table | ident }};
