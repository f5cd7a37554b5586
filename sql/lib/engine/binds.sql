-- lib/engine/binds.sql: whether DuckDB binds a name to something; an error is an answer and aborts nothing.
-- params:  $path
SELECT
    json_extract_string(json_serialize_plan('SELECT * FROM ' || $path), '$.error_type') AS fault,
    json_extract_string(json_serialize_plan('SELECT * FROM ' || $path), '$.error_message') AS message
