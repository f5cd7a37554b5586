-- audit/is_range.sql: whether a text column holds ranges.
--
-- in:      the release
-- out:     ppdt_is_range (n_values)
--          one row: how many of its values read `[lo, hi]`
WITH shown AS (
    SELECT DISTINCT release.{{ column | ident }} COLLATE "binary" AS value
    FROM {{ release }} AS release
)

SELECT count(*) AS n_values
FROM shown
WHERE regexp_matches(value, '^\[.+, .+\]( or .+)?$');
