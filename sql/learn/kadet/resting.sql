-- learn/kadet/resting.sql: where the units of nodes that could be split are, until they are.
--
-- in:      ppdt_growing (node_id, unit_id); ppdt_splittable (node_id)
-- out:     ppdt_resting (node_id, unit_id)
--          one row per unit
SELECT open.node_id, open.unit_id
FROM ppdt_growing AS open
SEMI JOIN ppdt_splittable AS node ON node.node_id = open.node_id;
