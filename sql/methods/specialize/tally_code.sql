-- methods/specialize/tally_code.sql: how often each value of each attribute meets each value of the target.
--
-- in:      ppdt_unit_target (unit_id, protected_key, n_rows); ppdt_cell (cell_id, q<i>)
-- out:     ppdt_tally_code (attribute_id, code, target, n_rows)
--          one row per (attribute_id, code, target) that occurs
-- keeps:   every gain is computed from this, never from the rows
WITH unit AS (
    SELECT
        unit_target.protected_key AS target,
        unit_target.n_rows,
{% for attribute in attributes %}
        cell.{{ attribute.code | ident }}{{ comma(loop) }}
{% endfor %}
    FROM ppdt_unit_target AS unit_target
    INNER JOIN ppdt_cell AS cell ON cell.cell_id = unit_target.unit_id
)

{% for attribute in attributes %}
SELECT
    CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id,
    CAST({{ attribute.code | ident }} AS INTEGER) AS code,
    target,
    CAST(sum(n_rows) AS BIGINT) AS n_rows
FROM unit
GROUP BY {{ attribute.code | ident }}, target
{% if not loop.last %}
UNION ALL
{% endif %}
{% endfor %};
