-- lib/engine/shapes.sql: the columns of Parquet files, with their types, file by file.
SELECT file_name, list(concat_ws(' ', name, coalesce(duckdb_type, type), num_children) ORDER BY column_id ASC) AS shape
FROM parquet_schema({{ paths | literal }})
WHERE column_id > 0
GROUP BY file_name
ORDER BY file_name ASC
