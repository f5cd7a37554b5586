-- audit/share_value.sql: how much of an attribute each of its labels covers, where they are single values.
--
-- in:      ppdt_class (n_rows, g<i>)
-- out:     ppdt_share_<i> (words, high_words, n_rows, share, is_missing)
--          one row per label; words is its text
-- keeps:   a single value covers 0; an empty cell is missing
SELECT
    CAST(release.{{ column | ident }} AS VARCHAR) AS words,
    CAST(NULL AS VARCHAR) AS high_words,
    CAST(sum(release.n_rows) AS BIGINT) AS n_rows,
    CAST(0 AS DOUBLE) AS share,
    CAST(release.{{ column | ident }} AS VARCHAR) IS NULL AS is_missing
FROM ppdt_class AS release
GROUP BY ALL;
