-- specialize/group_thing.sql: entities and sensitive values of the classes that a step makes.
--
-- in:      ppdt_touched (cell_id, class_id); ppdt_unit_thing (unit_id, kind, thing, n_rows)
-- out:     ppdt_group_thing (group_id, kind, thing, n_rows)
--          one row per (group_id, kind, thing)
SELECT
    touched.class_id AS group_id,
    unit_thing.kind,
    unit_thing.thing,
    CAST(sum(unit_thing.n_rows) AS BIGINT) AS n_rows
FROM ppdt_touched AS touched
INNER JOIN ppdt_unit_thing AS unit_thing ON unit_thing.unit_id = touched.cell_id
GROUP BY touched.class_id, unit_thing.kind, unit_thing.thing;
