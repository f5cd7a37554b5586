-- engine/held.sql: the bytes that the engine holds, in memory and in temporary files.
SELECT CAST(coalesce(sum(memory_usage_bytes + temporary_storage_bytes), 0) AS BIGINT) AS n_bytes
FROM duckdb_memory()
