-- lib/engine/footers.sql: how many columns of row groups the footers of Parquet files tell of, and whether they can be read.
--
-- in:      nothing but the files
-- out:     ppdt_footers (n_chunks)
--          one row
-- params:  $path
SELECT count(*) AS n_chunks FROM parquet_metadata($path)
