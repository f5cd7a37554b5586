-- lib/engine/here.sql: where DuckDB makes what is given a name without a place.
SELECT current_database() AS database_name, current_schema() AS schema_name
