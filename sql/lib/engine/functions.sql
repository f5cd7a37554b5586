-- lib/engine/functions.sql: the functions that the engine brings.
SELECT DISTINCT function_name
FROM system.main.duckdb_functions()
WHERE internal
