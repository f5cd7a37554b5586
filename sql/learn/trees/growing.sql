-- learn/trees/growing.sql: everything in the root, to begin with.
--
-- in:      ppdt_unit (unit_id, target, weight, q<i>)
-- out:     ppdt_growing (node_id, unit_id, target, weight, q<i>)
--          one row per unit
SELECT
    CAST(0 AS INTEGER) AS node_id,
    unit_id,
    target,
    weight,
{% for attribute in attributes %}
    {{ attribute.code | ident }}{{ comma(loop) }}
{% endfor %}
FROM ppdt_unit;
