-- learn/trees/close.sql: the values that are too close above a value to be parted from it by a cut.
--
-- in:      ppdt_code_<i> (code, value)
-- out:     ppdt_close (attribute_id, at_code, upto_code)
--          one row per value of a fractional attribute that has others close above it
-- keeps:   J48 parts two numbers only if they differ by more than 0.00001
{% if fractional %}
WITH reach AS (
{% for attribute in fractional %}
    SELECT
        CAST({{ attribute.position | literal }} AS INTEGER) AS attribute_id,
        code AS at_code,
        max(code) OVER (
{% if attribute.is_long %}
            ORDER BY {% with number = "value" | ident, type_name = attribute.type_name %}{% include "lib/fragments/whole.sql" %}{% endwith %} ASC
            RANGE BETWEEN CURRENT ROW AND CAST({{ (attribute.unit_size // 100000) | literal }} AS HUGEINT) FOLLOWING
{% else %}
            ORDER BY CAST(value AS DOUBLE) ASC
            RANGE BETWEEN CURRENT ROW AND CAST(0.00001 AS DOUBLE) FOLLOWING
{% endif %}
        ) AS upto_code
    FROM {{ attribute.dictionary | ident }}
    WHERE code >= {{ attribute.n_special | literal }}
{% if not loop.last %}
    UNION ALL
{% endif %}
{% endfor %}
)

SELECT attribute_id, at_code, upto_code
FROM reach
WHERE upto_code > at_code;
{% else %}
SELECT
    CAST(NULL AS INTEGER) AS attribute_id,
    CAST(NULL AS INTEGER) AS at_code,
    CAST(NULL AS INTEGER) AS upto_code
WHERE FALSE;
{% endif %}
