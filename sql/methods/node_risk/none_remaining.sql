-- methods/node_risk/none_remaining.sql: nothing is tested, to begin with.
--
-- in:      nothing
-- out:     ppdt_remaining (node_id, attribute_id, n_left, n_whole)
--          no row
SELECT
    CAST(NULL AS INTEGER) AS node_id,
    CAST(NULL AS INTEGER) AS attribute_id,
    CAST(NULL AS HUGEINT) AS n_left,
    CAST(NULL AS HUGEINT) AS n_whole
WHERE FALSE;
