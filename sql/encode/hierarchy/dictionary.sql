-- encode/hierarchy/dictionary.sql: a dictionary under the codes of a hierarchy.
--
-- in:      ppdt_base (code, value, shown, n_rows, n_steps, position); ppdt_hierarchy_code (base_code, code)
-- out:     ppdt_code_<i> (code, value, shown, n_rows, n_steps, position)
--          one row per value
SELECT
    place.code,
    base.value,
    base.shown,
    base.n_rows,
    base.n_steps,
    base.position
FROM ppdt_base AS base
INNER JOIN ppdt_hierarchy_code AS place ON place.base_code = base.code;
