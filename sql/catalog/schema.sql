-- catalog/schema.sql: whether this database has a catalog of ours.
--
-- in:      nothing
-- out:     ppdt_schema (n_tables)
--          one row
-- params:  $database
SELECT count(*) AS n_tables
FROM duckdb_tables()
WHERE database_name = $database AND schema_name = 'ppdt' AND table_name = 'migration';
