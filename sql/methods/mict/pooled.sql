-- methods/mict/pooled.sql: the rows of leaves that do not comply come together in one part, number -1.
--
-- in:      ppdt_coarse (row_id, class_id)
-- out:     ppdt_pooled (row_id, class_id)
--          one row per row
-- params:  $leaf_ids
-- paper:   Chettri, Ray: the set Q
WITH pooled AS (
    SELECT unnest(CAST($leaf_ids AS BIGINT[])) AS class_id
)

SELECT
    coarse.row_id,
    CASE WHEN pooled.class_id IS NULL THEN CAST(coarse.class_id AS BIGINT) ELSE -1 END AS class_id
FROM ppdt_coarse AS coarse
LEFT JOIN pooled ON pooled.class_id = coarse.class_id;
