-- encode/size.sql: count the rows of the source.
--
-- in:      the source
-- out:     ppdt_size (n_rows)
--          one row
SELECT count(*) AS n_rows
FROM {{ source }} AS source;
