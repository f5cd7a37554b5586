-- kactus/leaf_thing.sql: the entities and sensitive values of every leaf.
--
-- in:      ppdt_leaf (cell_id, leaf_id); ppdt_row (row_id, cell_id); ppdt_unit_thing (unit_id, kind, thing, n_rows)
-- out:     ppdt_leaf_thing (leaf_id, kind, thing, n_rows)
--          one row per (leaf_id, kind, thing)
SELECT leaf.leaf_id, unit_thing.kind, unit_thing.thing, CAST(sum(unit_thing.n_rows) AS BIGINT) AS n_rows
FROM ppdt_unit_thing AS unit_thing
INNER JOIN ppdt_row AS placed ON placed.row_id = unit_thing.unit_id
INNER JOIN ppdt_leaf AS leaf ON leaf.cell_id = placed.cell_id
GROUP BY leaf.leaf_id, unit_thing.kind, unit_thing.thing;
