-- guard/protected_range.sql: the lowest and highest code at which each entity or sensitive value occurs.
--
-- in:      ppdt_open (node_id, unit_id, word_<w>); ppdt_pick (node_id, attribute_id);
--          ppdt_field (attribute_id, word, shift, mask); ppdt_unit_protected (unit_id, kind, protected_key)
-- out:     ppdt_protected_range (node_id, attribute_id, kind, protected_key, first_code, last_code)
--          one row per (node_id, attribute_id, kind, protected_key)
WITH placed AS (
    SELECT
        open.node_id,
        open.unit_id,
        pick.attribute_id,
        {%+ include "lib/fragments/code.sql" %} AS code
    FROM ppdt_open AS open
    INNER JOIN ppdt_pick AS pick ON pick.node_id = open.node_id
    INNER JOIN ppdt_field AS field ON field.attribute_id = pick.attribute_id
)

SELECT
    placed.node_id,
    placed.attribute_id,
    unit_protected.kind,
    unit_protected.protected_key,
    min(placed.code) AS first_code,
    max(placed.code) AS last_code
FROM placed
INNER JOIN ppdt_unit_protected AS unit_protected ON unit_protected.unit_id = placed.unit_id
GROUP BY placed.node_id, placed.attribute_id, unit_protected.kind, unit_protected.protected_key;
