-- specialize/hidden_lot.sql: every disclosed value by itself, and the suppressed ones together.
--
-- in:      ppdt_code_<i> (code)
-- out:     ppdt_lot_<i> (code, lot_id)
--          one row per code
-- params:  $disclosed
SELECT
    code,
    CASE WHEN code IN (SELECT unnest(CAST($disclosed AS INTEGER[]))) THEN code ELSE -1 END AS lot_id
FROM {{ attribute.dictionary | ident }};
