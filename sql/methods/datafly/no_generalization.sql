-- methods/datafly/no_generalization.sql: no levels yet; the attributes add theirs.
--
-- in:      nothing
-- out:     ppdt_generalization (attribute_id, level, code, bucket_id)
--          no row
SELECT
    CAST(0 AS INTEGER) AS attribute_id,
    CAST(0 AS INTEGER) AS level,
    CAST(0 AS INTEGER) AS code,
    CAST(0 AS INTEGER) AS bucket_id
WHERE FALSE;
