-- lib/engine/database.sql: the databases that are open, with what their files were made for.
SELECT
    database_name,
    path,
    readonly,
    coalesce(tags['storage_version'], '') AS storage_version,
    database_name = current_database() AS is_current,
    type
FROM duckdb_databases()
WHERE NOT internal
