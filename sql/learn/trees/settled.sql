-- learn/trees/settled.sql: where the units of the nodes that are not split have come to rest.
--
-- in:      ppdt_growing (node_id, unit_id, weight); ppdt_choice (node_id)
-- out:     ppdt_place (node_id, unit_id, weight)
--          one row per unit of a leaf
SELECT open.node_id, open.unit_id, open.weight
FROM ppdt_growing AS open
ANTI JOIN ppdt_choice AS cut ON cut.node_id = open.node_id;
