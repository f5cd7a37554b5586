-- audit/share_node.sql: how much of an attribute each of its labels covers, where they are nodes of a hierarchy.
--
-- in:      ppdt_class (n_rows, g<i>); ppdt_node_share (words, share)
-- out:     ppdt_share_<i> (words, high_words, n_rows, share, is_missing)
--          one row per label; words is its text; share is NULL where something is shown that is no node
-- keeps:   a single value covers 0, a node its share; an empty cell is missing
WITH shown AS (
    SELECT
        CAST(release.{{ column | ident }} AS VARCHAR) AS words,
        CAST(sum(release.n_rows) AS BIGINT) AS n_rows
    FROM ppdt_class AS release
    GROUP BY ALL
)

SELECT
    shown.words,
    CAST(NULL AS VARCHAR) AS high_words,
    shown.n_rows,
    node.share,
    shown.words IS NULL AS is_missing
FROM shown
LEFT JOIN ppdt_node_share AS node ON node.words = shown.words;
