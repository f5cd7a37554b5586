-- tree/settled.sql: where the units of the nodes that are not split have come to rest.
--
-- in:      ppdt_open (node_id, unit_id, weight); ppdt_cut (node_id)
-- out:     ppdt_place (node_id, unit_id, weight)
--          one row per unit of a leaf
SELECT open.node_id, open.unit_id, open.weight
FROM ppdt_open AS open
ANTI JOIN ppdt_cut AS cut ON cut.node_id = open.node_id;
