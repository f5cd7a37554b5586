-- guard/reach.sql: the lowest and highest code at which each entity or sensitive value occurs.
--
-- in:      ppdt_open (node_id, unit_id, word_<w>); ppdt_pick (node_id, attribute_id);
--          ppdt_field (attribute_id, word, shift, mask); ppdt_unit_thing (unit_id, kind, thing)
-- out:     ppdt_reach (node_id, attribute_id, kind, thing, first_code, last_code)
--          one row per (node_id, attribute_id, kind, thing)
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
    min(placed.code) AS first_code,
    max(placed.code) AS last_code
FROM placed
INNER JOIN ppdt_unit_thing AS unit_thing ON unit_thing.unit_id = placed.unit_id
GROUP BY placed.node_id, placed.attribute_id, unit_thing.kind, unit_thing.thing;
