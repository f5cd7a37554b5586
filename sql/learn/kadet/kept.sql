-- learn/kadet/kept.sql: the units of the nodes whose turn comes later.
--
-- in:      ppdt_growing (node_id, unit_id, target, weight, q<i>); ppdt_waiting (node_id)
-- out:     ppdt_kept (node_id, unit_id, target, weight, q<i>)
--          one row per unit
SELECT
    open.node_id,
    open.unit_id,
    open.target,
    open.weight,
{% for attribute in attributes %}
    open.{{ attribute.code | ident }}{{ comma(loop) }}
{% endfor %}
FROM ppdt_growing AS open
SEMI JOIN ppdt_waiting AS waiting ON waiting.node_id = open.node_id;
