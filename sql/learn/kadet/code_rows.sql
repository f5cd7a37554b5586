-- learn/kadet/code_rows.sql: how many rows have each known code of the private numbers.
--
-- in:      ppdt_unit (weight, q<i>)
-- out:     ppdt_code_rows (attribute_id, code, n_rows)
--          one row per (attribute_id, code) in order
{% for attribute in private %}
SELECT
    CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id,
    CAST({{ attribute.code | ident }} AS INTEGER) AS code,
    CAST(sum(weight) // 1000000 AS BIGINT) AS n_rows
FROM ppdt_unit
WHERE {{ attribute.code | ident }} >= {{ attribute.n_special | literal }}
GROUP BY {{ attribute.code | ident }}
{% if not loop.last %}
UNION ALL
{% endif %}
{% endfor %}
ORDER BY attribute_id ASC, code ASC;
