-- encode/unit_thing.sql: what the guard counts apart from rows: entities, sensitive values.
--
-- in:      ppdt_row (<unit>, <thing>)
-- out:     ppdt_unit_thing (unit_id, kind, thing, n_rows)
--          one row per (unit_id, kind, thing); a unit is a cell, or a row where the method divides cells
{% for thing in things %}
SELECT {{ unit | ident }} AS unit_id, CAST({{ thing.kind | literal }} AS TINYINT) AS kind,
    {{ thing.name | ident }} AS thing, count(*) AS n_rows
FROM ppdt_row
GROUP BY {{ unit | ident }}, {{ thing.name | ident }}
{% if not loop.last %}
UNION ALL
{% endif %}
{% endfor %};
