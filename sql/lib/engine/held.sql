-- lib/engine/held.sql: the bytes that the engine holds: in tables, and for anything else.
SELECT
    CAST(coalesce(sum(memory_usage_bytes + temporary_storage_bytes)
        FILTER (WHERE tag = 'IN_MEMORY_TABLE'), 0) AS BIGINT) AS n_table_bytes,
    CAST(coalesce(sum(memory_usage_bytes + temporary_storage_bytes)
        FILTER (WHERE tag <> 'IN_MEMORY_TABLE'), 0) AS BIGINT) AS n_other_bytes
FROM duckdb_memory()
