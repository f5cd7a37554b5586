-- lib/engine/settings.sql: the settings of the session.
SELECT name, value
FROM duckdb_settings()
