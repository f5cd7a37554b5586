-- lib/engine/triggers.sql: the triggers of a database, where DuckDB has them (from version 2).
-- params:  $name
SELECT 'trigger' AS kind, schema_name, table_name AS name, '' AS column_name, '' AS data_type, '' AS formula
FROM system.main.duckdb_triggers()
WHERE database_name = $name
