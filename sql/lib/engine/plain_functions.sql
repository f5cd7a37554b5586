-- lib/engine/plain_functions.sql: the functions whose answer DuckDB says to depend on their arguments alone.
SELECT function_name
FROM system.main.duckdb_functions()
GROUP BY function_name
HAVING count(*) FILTER (
    WHERE NOT internal OR function_type NOT IN ('scalar', 'macro', 'table', 'table_macro')
    OR (function_type = 'scalar' AND stability <> 'CONSISTENT')
) = 0
