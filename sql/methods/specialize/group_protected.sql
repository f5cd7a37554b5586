-- methods/specialize/group_protected.sql: entities and sensitive values of the classes that a step makes.
--
-- in:      ppdt_touched (cell_id, class_id); ppdt_unit_protected (unit_id, kind, protected_key, n_rows)
-- out:     ppdt_group_protected (group_id, kind, protected_key, n_rows)
--          one row per (group_id, kind, protected_key)
SELECT
    touched.class_id AS group_id,
    unit_protected.kind,
    unit_protected.protected_key,
    CAST(sum(unit_protected.n_rows) AS BIGINT) AS n_rows
FROM ppdt_touched AS touched
INNER JOIN ppdt_unit_protected AS unit_protected ON unit_protected.unit_id = touched.cell_id
GROUP BY touched.class_id, unit_protected.kind, unit_protected.protected_key;
