-- guard/thing_code.sql: how often each sensitive value occurs at each code that is looked at.
--
-- in:      ppdt_open (node_id, unit_id, word_<w>); ppdt_pick (node_id, attribute_id);
--          ppdt_field (attribute_id, word, shift, mask);
--          ppdt_unit_thing (unit_id, kind, thing, n_rows)
-- out:     ppdt_thing_code (node_id, attribute_id, kind, thing, code, n_rows)
--          one row per (node_id, attribute_id, kind, thing, code)
WITH placed AS (
    SELECT
        open.node_id,
        open.unit_id,
        pick.attribute_id,
        {% include "form/code.sql" %} AS code
    FROM ppdt_open AS open
    INNER JOIN ppdt_pick AS pick ON pick.node_id = open.node_id
    INNER JOIN ppdt_field AS field ON field.attribute_id = pick.attribute_id
)

SELECT
    placed.node_id,
    placed.attribute_id,
    unit_thing.kind,
    unit_thing.thing,
    placed.code,
    CAST(sum(unit_thing.n_rows) AS BIGINT) AS n_rows
FROM placed
INNER JOIN ppdt_unit_thing AS unit_thing ON unit_thing.unit_id = placed.unit_id
WHERE unit_thing.kind > 0
GROUP BY placed.node_id, placed.attribute_id, unit_thing.kind, unit_thing.thing, placed.code;
