-- methods/mondrian/target.sql: the target beside every code of the attributes that are looked at.
--
-- in:      ppdt_open (node_id, unit_id, word_<w>); ppdt_pick (node_id, attribute_id);
--          ppdt_field (attribute_id, word, shift, mask);
--          ppdt_unit_target (unit_id, protected_key, n_rows)
-- out:     ppdt_target (node_id, attribute_id, code, target, n_rows)
--          one row per (node_id, attribute_id, code, target)
WITH placed AS (
    SELECT
        pick.node_id,
        pick.attribute_id,
        open.unit_id,
        {%+ include "lib/fragments/code.sql" %} AS code
    FROM ppdt_open AS open
    INNER JOIN ppdt_pick AS pick ON pick.node_id = open.node_id
    INNER JOIN ppdt_field AS field ON field.attribute_id = pick.attribute_id
)

SELECT
    placed.node_id,
    placed.attribute_id,
    placed.code,
    unit_target.protected_key AS target,
    CAST(sum(unit_target.n_rows) AS BIGINT) AS n_rows
FROM placed
INNER JOIN ppdt_unit_target AS unit_target ON unit_target.unit_id = placed.unit_id
GROUP BY placed.node_id, placed.attribute_id, placed.code, unit_target.protected_key;
