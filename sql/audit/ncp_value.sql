-- audit/ncp_value.sql: the mean certainty penalty of a column of single values: only suppression costs.
--
-- in:      ppdt_class (n_rows, g<i>)
-- out:     ppdt_ncp (ncp)
--          one row
-- params:  $n_nulls
-- keeps:   a suppressed cell costs 1; NULLs that the original held are values
SELECT
    greatest(coalesce(sum(release.n_rows) FILTER (WHERE release.{{ column | ident }} IS NULL), 0) - coalesce($n_nulls, 0), 0)
    / CAST(nullif(sum(release.n_rows), 0) AS DOUBLE) AS ncp
FROM ppdt_class AS release;
