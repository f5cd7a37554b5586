-- learn/kadet/safe_threshold.sql: the thresholds that keep the guarantee in every span of their node.
--
-- in:      ppdt_running (node_id, attribute_id, at_code, next_code, weight_left, side_sum);
--          ppdt_stand (attribute_id, at_code, next_code, stand_code);
--          ppdt_forbidden (node_id, attribute_id, from_code, upto_code)
-- out:     ppdt_safe_threshold (node_id, attribute_id, at_code, next_code, weight_left, side_sum)
--          one row per threshold
SELECT
    running.node_id, running.attribute_id, running.at_code, running.next_code, running.weight_left,
    running.side_sum
FROM ppdt_running AS running
INNER JOIN ppdt_stand AS stand
    ON stand.attribute_id = running.attribute_id
    AND stand.at_code = running.at_code
    AND stand.next_code = running.next_code
ANTI JOIN ppdt_forbidden AS forbidden
    ON forbidden.node_id = running.node_id
    AND forbidden.attribute_id = running.attribute_id
    AND forbidden.from_code <= stand.stand_code
    AND forbidden.upto_code > stand.stand_code;
