-- methods/mondrian/bucket.sql: the codes between two allowed cuts, which every cut leaves on one side together.
--
-- in:      ppdt_histogram (node_id, attribute_id, code); ppdt_allowed (node_id, attribute_id, at_code)
-- out:     ppdt_bucket (node_id, attribute_id, code, until_code)
--          one row per code of an attribute that has an allowed cut in its node; until_code is the first
--          allowed cut from it on, or more than any code behind the last one
WITH cut AS (
    SELECT DISTINCT node_id, attribute_id
    FROM ppdt_allowed
)

SELECT
    histogram.node_id,
    histogram.attribute_id,
    histogram.code,
    CAST(coalesce(min(allowed.at_code) OVER (
        PARTITION BY histogram.node_id, histogram.attribute_id
        ORDER BY histogram.code ASC
        ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING
    ), 2147483647) AS INTEGER) AS until_code
FROM ppdt_histogram AS histogram
INNER JOIN cut ON cut.node_id = histogram.node_id AND cut.attribute_id = histogram.attribute_id
LEFT JOIN ppdt_allowed AS allowed
    ON allowed.node_id = histogram.node_id
    AND allowed.attribute_id = histogram.attribute_id
    AND allowed.at_code = histogram.code;
