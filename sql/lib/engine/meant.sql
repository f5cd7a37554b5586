-- lib/engine/meant.sql: which full name DuckDB takes a name for: the one by which its column can be called.
-- params:  $paths, $column, $path
SELECT
    spelled.path,
    json_extract_string(
        json_serialize_plan('SELECT ' || spelled.path || '.' || $column || ' FROM ' || $path), '$.error_type'
    ) AS fault,
    json_extract_string(
        json_serialize_plan('SELECT ' || spelled.path || '.' || $column || ' FROM ' || $path), '$.error_message'
    ) AS message
FROM (SELECT unnest($paths) AS path) AS spelled
