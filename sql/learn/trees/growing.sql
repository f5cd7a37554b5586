-- tree/open.sql: everything in the root, to begin with.
--
-- in:      ppdt_unit (unit_id, target, weight, q<i>)
-- out:     ppdt_open (node_id, unit_id, target, weight, q<i>)
--          one row per unit
SELECT
    CAST(0 AS INTEGER) AS node_id,
    unit_id,
    target,
    weight,
{% for attribute in attributes %}
    {{ attribute.code | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
FROM ppdt_unit;
