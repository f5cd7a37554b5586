-- lib/engine/objects.sql: everything that a database holds but macros, and what the columns of its tables are.
--
-- Names are qualified: a macro of the database may bear the name of a function.
-- params:  $name
SELECT 'column' AS kind, schema_name, table_name AS name, column_name, data_type, coalesce(column_default, '') AS formula
FROM system.main.duckdb_columns()
WHERE database_name = $name AND NOT internal
UNION ALL
SELECT 'table' AS kind, schema_name, table_name AS name, '' AS column_name, '' AS data_type, '' AS formula
FROM system.main.duckdb_tables()
WHERE database_name = $name AND NOT internal
UNION ALL
SELECT 'check' AS kind, schema_name, table_name AS name, '' AS column_name, '' AS data_type, '' AS formula
FROM system.main.duckdb_tables()
WHERE database_name = $name AND NOT internal AND check_constraint_count > 0
UNION ALL
SELECT 'view' AS kind, schema_name, view_name AS name, '' AS column_name, '' AS data_type, '' AS formula
FROM system.main.duckdb_views()
WHERE database_name = $name AND NOT internal
UNION ALL
SELECT 'sequence' AS kind, schema_name, sequence_name AS name, '' AS column_name, '' AS data_type, '' AS formula
FROM system.main.duckdb_sequences()
WHERE database_name = $name
UNION ALL
SELECT 'type' AS kind, schema_name, type_name AS name, '' AS column_name, '' AS data_type, '' AS formula
FROM system.main.duckdb_types()
WHERE database_name = $name AND NOT internal
UNION ALL
SELECT 'index' AS kind, schema_name, index_name AS name, '' AS column_name, '' AS data_type, '' AS formula
FROM system.main.duckdb_indexes()
WHERE database_name = $name
UNION ALL
SELECT 'schema' AS kind, schema_name, schema_name AS name, '' AS column_name, '' AS data_type, '' AS formula
FROM system.main.duckdb_schemas()
WHERE database_name = $name AND NOT internal
