-- methods/datafly/group_protected.sql: entities and sensitive values of the classes at the present levels.
--
-- in:      ppdt_placed (cell_id, group_id); ppdt_unit_protected (unit_id, kind, protected_key, n_rows)
-- out:     ppdt_group_protected (group_id, kind, protected_key, n_rows)
--          one row per (group_id, kind, protected_key)
SELECT
    placed.group_id,
    unit_protected.kind,
    unit_protected.protected_key,
    CAST(sum(unit_protected.n_rows) AS BIGINT) AS n_rows
FROM ppdt_placed AS placed
INNER JOIN ppdt_unit_protected AS unit_protected ON unit_protected.unit_id = placed.cell_id
GROUP BY placed.group_id, unit_protected.kind, unit_protected.protected_key;
