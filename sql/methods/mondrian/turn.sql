-- methods/mondrian/turn.sql: the level's cuts, with dense numbers for the nodes that they make.
--
-- in:      ppdt_cut (node_id, attribute_id, at_code)
-- out:     ppdt_turn (node_id, attribute_id, at_code, left_node_id)
--          one row per cut; the right node's number is the left one's plus one
SELECT
    node_id,
    attribute_id,
    at_code,
    CAST(2 * (row_number() OVER (ORDER BY node_id ASC) - 1) AS INTEGER) AS left_node_id
FROM ppdt_cut;
