-- methods/specialize/found_cut.sql: the best cuts, to be told.
--
-- in:      ppdt_best_cut (attribute_id, node_id, left_id, at_code, gain)
-- out:     ppdt_found_cut (attribute_id, node_id, left_id, at_code, gain)
--          one row per interval
SELECT attribute_id, node_id, left_id, at_code, gain
FROM ppdt_best_cut
ORDER BY attribute_id ASC, node_id ASC;
