-- lib/engine/macros_of.sql: the macros of a database; to list functions takes longer than all else that it holds.
-- params:  $name
SELECT 'macro' AS kind, schema_name, function_name AS name, '' AS column_name, '' AS data_type, '' AS formula
FROM system.main.duckdb_functions()
WHERE database_name = $name AND NOT internal
