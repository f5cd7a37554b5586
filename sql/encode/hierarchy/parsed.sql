-- encode/hierarchy/parsed.sql: expressions as DuckDB itself reads them; none of them runs.
--
-- in:      nothing
-- out:     ppdt_parsed (place, tree)
--          one row per expression; the tree is JSON
-- params:  $expressions
SELECT
    place,
    CAST(json_serialize_sql(concat('SELECT ', $expressions[place])) AS VARCHAR) AS tree
FROM (SELECT unnest(generate_series(1, len($expressions))) AS place)
ORDER BY place ASC;
