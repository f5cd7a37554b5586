-- lib/engine/tables.sql: every table and view that a name could mean, with what it is made of.
SELECT database_name, schema_name, table_name AS name, 'table' AS kind, '' AS definition
FROM duckdb_tables()
UNION ALL
SELECT database_name, schema_name, view_name AS name, 'view' AS kind, coalesce(sql, '') AS definition
FROM duckdb_views()
WHERE NOT internal
