-- audit/ncp_node.sql: the mean certainty penalty of a column of nodes of a hierarchy.
--
-- in:      ppdt_class (n_rows, g<i>); ppdt_node_share (words, share)
-- out:     ppdt_ncp (ncp)
--          one row; NULL where something is shown that is no node
-- params:  $n_nulls
-- keeps:   a single value costs 0, a node its share, a suppressed cell 1; NULLs that the original held are
--          values
WITH shown AS (
    SELECT
        release.{{ column | ident }} AS words,
        CAST(sum(release.n_rows) AS BIGINT) AS n_rows
    FROM ppdt_class AS release
    GROUP BY ALL
)

SELECT CASE
    WHEN count(*) FILTER (WHERE shown.words IS NOT NULL AND node.words IS NULL) > 0 THEN NULL
    ELSE (
        coalesce(CAST(sum(CAST(shown.n_rows * node.share AS DECIMAL(38, 12))) AS DOUBLE), 0)
        + greatest(coalesce(sum(shown.n_rows) FILTER (WHERE shown.words IS NULL), 0) - coalesce($n_nulls, 0), 0)
    ) / sum(shown.n_rows)
    END AS ncp
FROM shown
LEFT JOIN ppdt_node_share AS node ON node.words = shown.words;
