-- methods/node_risk/above.sql: every node of a tree with itself and all nodes above it.
--
-- in:      ppdt_way (node_id, parent_id)
-- out:     ppdt_above (node_id, above_id)
--          one row per (node, node on its way from the root)
WITH RECURSIVE climber AS (
    SELECT node_id, node_id AS above_id
    FROM ppdt_way
    UNION ALL
    SELECT climber.node_id, way.parent_id AS above_id
    FROM climber
    INNER JOIN ppdt_way AS way ON way.node_id = climber.above_id
    WHERE way.parent_id IS NOT NULL
)

SELECT node_id, above_id
FROM climber;
