-- tree/rested.sql: where the units rest after branches were raised.
--
-- in:      ppdt_place (node_id, unit_id, weight); ppdt_gone (rest_id);
--          ppdt_arrived (walk_id, node_id, branch, unit_id, weight);
--          ppdt_raised (walk_id, node_id, branch, rest_id)
-- out:     ppdt_rested (node_id, unit_id, weight)
--          one row per unit and leaf
SELECT place.node_id, place.unit_id, place.weight
FROM ppdt_place AS place
ANTI JOIN ppdt_gone AS gone ON gone.rest_id = place.node_id
UNION ALL
SELECT arrived.node_id, arrived.unit_id, arrived.weight
FROM ppdt_arrived AS arrived
SEMI JOIN ppdt_raised AS raised ON raised.walk_id = arrived.walk_id
WHERE arrived.branch IS NULL
UNION ALL
SELECT raised.rest_id, arrived.unit_id, arrived.weight
FROM ppdt_arrived AS arrived
INNER JOIN ppdt_raised AS raised
    ON raised.walk_id = arrived.walk_id
    AND raised.node_id = arrived.node_id
    AND raised.branch = arrived.branch;
