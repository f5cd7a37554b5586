-- audit/ncp_value.sql: the mean certainty penalty of a column of single values: only suppression costs.
--
-- in:      the release
-- out:     ppdt_ncp (ncp)
--          one row
-- params:  $n_nulls
-- keeps:   a suppressed cell costs 1; NULLs that the original held are values
SELECT
    greatest(count(*) FILTER (WHERE release.{{ column | ident }} IS NULL) - coalesce($n_nulls, 0), 0)
    / CAST(nullif(count(*), 0) AS DOUBLE) AS ncp
FROM {{ release }} AS release;
