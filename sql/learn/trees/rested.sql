-- learn/trees/rested.sql: where the units rest after branches were raised.
--
-- in:      ppdt_place (node_id, unit_id, weight); ppdt_gone (walk_id, rest_id);
--          ppdt_arrived (walk_id, node_id, branch, unit_id, weight);
--          ppdt_raised (walk_id, node_id, branch, rest_id)
-- out:     ppdt_rested (node_id, unit_id, weight)
--          one row per unit and leaf
WITH arrival AS (
    SELECT arrived.walk_id, arrived.node_id, arrived.branch, arrived.unit_id, arrived.weight
    FROM ppdt_arrived AS arrived
    SEMI JOIN ppdt_raised AS raised ON raised.walk_id = arrived.walk_id
),

left_behind AS (
    SELECT place.node_id, place.unit_id
    FROM ppdt_place AS place
    SEMI JOIN (
        SELECT gone.rest_id, arrival.unit_id
        FROM ppdt_gone AS gone
        INNER JOIN arrival ON arrival.walk_id = gone.walk_id
    ) AS moved ON moved.rest_id = place.node_id AND moved.unit_id = place.unit_id
)

SELECT place.node_id, place.unit_id, place.weight
FROM ppdt_place AS place
ANTI JOIN left_behind
    ON left_behind.node_id = place.node_id AND left_behind.unit_id = place.unit_id
UNION ALL
SELECT node_id, unit_id, weight
FROM arrival
WHERE branch IS NULL
UNION ALL
SELECT raised.rest_id, arrival.unit_id, arrival.weight
FROM arrival
INNER JOIN ppdt_raised AS raised
    ON raised.walk_id = arrival.walk_id
    AND raised.node_id = arrival.node_id
    AND raised.branch = arrival.branch;
