-- lib/engine/schemas.sql: every schema in which a release could stand.
SELECT database_name, schema_name
FROM duckdb_schemas()
