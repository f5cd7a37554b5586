-- mondrian/no_cut.sql: the list of a level's cuts, still empty.
--
-- in:      nothing
-- out:     ppdt_cut (node_id, attribute_id, at_code)
--          no row
SELECT CAST(0 AS INTEGER) AS node_id, CAST(0 AS INTEGER) AS attribute_id, CAST(0 AS INTEGER) AS at_code
WHERE FALSE;
