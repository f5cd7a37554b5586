-- audit/is_range.sql: whether a text column holds ranges.
--
-- in:      the release
-- out:     ppdt_is_range (n_rows)
--          one row: how many rows read `[lo, hi]`
SELECT count(*) AS n_rows
FROM {{ release }} AS release
WHERE regexp_matches(release.{{ column | ident }}, '^\[.+, .+\]( or .+)?$');
