-- guard/protected_code.sql: how often each sensitive value occurs at each code that is looked at.
--
-- in:      ppdt_open (node_id, unit_id, word_<w>); ppdt_pick (node_id, attribute_id);
--          ppdt_field (attribute_id, word, shift, mask);
--          ppdt_unit_protected (unit_id, kind, protected_key, n_rows)
-- out:     ppdt_protected_code (node_id, attribute_id, kind, protected_key, code, n_rows)
--          one row per (node_id, attribute_id, kind, protected_key, code)
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
    placed.code,
    CAST(sum(unit_protected.n_rows) AS BIGINT) AS n_rows
FROM placed
INNER JOIN ppdt_unit_protected AS unit_protected ON unit_protected.unit_id = placed.unit_id
WHERE unit_protected.kind > 0
GROUP BY placed.node_id, placed.attribute_id, unit_protected.kind, unit_protected.protected_key, placed.code;
