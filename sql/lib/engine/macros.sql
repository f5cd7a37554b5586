-- lib/engine/macros.sql: the functions that users made where a statement of ours would find them first.
--
-- Names are qualified: such a function may bear the name of one that is called here.
SELECT DISTINCT function_name
FROM system.main.duckdb_functions()
WHERE NOT internal
AND (
    database_name = system.main.current_database() OR database_name = 'temp'
    OR system.main.contains(system.main.current_setting('search_path'), database_name)
)
