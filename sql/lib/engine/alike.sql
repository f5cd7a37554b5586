-- lib/engine/alike.sql: the tables and views that have a name, in whatever schema of whatever database.
-- params:  $name
SELECT database_name, schema_name, table_name AS name, 'table' AS kind
FROM duckdb_tables()
WHERE lower(table_name) = lower($name)
UNION ALL
SELECT database_name, schema_name, view_name AS name, 'view' AS kind
FROM duckdb_views()
WHERE NOT internal AND lower(view_name) = lower($name)
