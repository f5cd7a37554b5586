-- lib/engine/commented.sql: the tables and what is noted on them.
SELECT database_name, schema_name, table_name, comment
FROM duckdb_tables()
WHERE comment IS NOT NULL
