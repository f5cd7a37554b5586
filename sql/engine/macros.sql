-- engine/macros.sql: the functions that users made where a statement of ours would find them first.
SELECT DISTINCT function_name
FROM duckdb_functions()
WHERE NOT internal
AND (database_name = current_database() OR database_name = 'temp')
