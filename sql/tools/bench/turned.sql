-- tools/bench/turned.sql: the cuts that Mondrian makes on a level, for an experiment that takes them down.
--
-- in:      ppdt_turn (node_id, attribute_id, at_code, left_node_id)
-- out:     ppdt_turned (node_id, attribute_id, at_code, left_node_id)
--          one row per cut
SELECT node_id, attribute_id, at_code, left_node_id
FROM ppdt_turn
ORDER BY node_id ASC;
