-- methods/kactus/with_drawn.sql: what was lent before, and what is drawn now.
--
-- in:      ppdt_lent_before (row_id, from_id, to_id); ppdt_drawn_row (row_id, from_id, to_id)
-- out:     ppdt_lent (row_id, from_id, to_id)
--          one row per row that is lent or drawn
SELECT row_id, from_id, to_id
FROM ppdt_lent_before
UNION ALL
SELECT row_id, from_id, to_id
FROM ppdt_drawn_row;
