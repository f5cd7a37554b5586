-- methods/kactus/lent.sql: the draws that stand.
--
-- in:      ppdt_drawn_row (row_id, from_id, to_id)
-- out:     ppdt_lent (row_id, from_id, to_id)
--          one row per row that was lent
-- params:  $to_ids
SELECT drawn.row_id, drawn.from_id, drawn.to_id
FROM ppdt_drawn_row AS drawn
SEMI JOIN (SELECT unnest(CAST($to_ids AS INTEGER[])) AS to_id) AS stands ON stands.to_id = drawn.to_id;
