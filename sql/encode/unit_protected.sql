-- encode/unit_protected.sql: what the guard counts apart from rows: entities, sensitive values.
--
-- in:      ppdt_row (<unit>, <protected_key>)
-- out:     ppdt_unit_protected (unit_id, kind, protected_key, n_rows)
--          one row per (unit_id, kind, protected_key); a unit is a cell, or a row where the method divides cells
{% for protected_key in protected_keys %}
SELECT {{ unit | ident }} AS unit_id, CAST({{ protected_key.kind | literal }} AS TINYINT) AS kind,
    {{ protected_key.name | ident }} AS protected_key, count(*) AS n_rows
FROM ppdt_row
GROUP BY {{ unit | ident }}, {{ protected_key.name | ident }}
{% if not loop.last %}
UNION ALL
{% endif %}
{% endfor %};
