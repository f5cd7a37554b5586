-- methods/specialize/hidden_bucket.sql: every disclosed value by itself, and the suppressed ones together.
--
-- in:      ppdt_code_<i> (code)
-- out:     ppdt_bucket_<i> (code, bucket_id)
--          one row per code
-- params:  $disclosed
SELECT
    code,
    CASE WHEN code IN (SELECT unnest(CAST($disclosed AS INTEGER[]))) THEN code ELSE -1 END AS bucket_id
FROM {{ attribute.dictionary | ident }};
