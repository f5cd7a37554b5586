-- risk/judged_thing.sql: the entities and sensitive values in and below every node.
--
-- in:      ppdt_unit_thing (unit_id, kind, thing, n_rows), units being cells; ppdt_leaf (cell_id, leaf_id);
--          ppdt_above (node_id, above_id)
-- out:     ppdt_group_thing (group_id, kind, thing, n_rows)
--          one row per (group_id, kind, thing)
WITH of_leaf AS (
    SELECT leaf.leaf_id, unit_thing.kind, unit_thing.thing, CAST(sum(unit_thing.n_rows) AS BIGINT) AS n_rows
    FROM ppdt_unit_thing AS unit_thing
    INNER JOIN ppdt_leaf AS leaf ON leaf.cell_id = unit_thing.unit_id
    GROUP BY leaf.leaf_id, unit_thing.kind, unit_thing.thing
)

SELECT above.above_id AS group_id, of_leaf.kind, of_leaf.thing, CAST(sum(of_leaf.n_rows) AS BIGINT) AS n_rows
FROM of_leaf
INNER JOIN ppdt_above AS above ON above.node_id = of_leaf.leaf_id
GROUP BY above.above_id, of_leaf.kind, of_leaf.thing;
