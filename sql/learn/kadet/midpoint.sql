-- learn/kadet/midpoint.sql: the thresholds on private numbers as they are released: in the middle between the
-- two groups of rows that they part, as text; of exact numbers, the two groups' nearest values.
--
-- in:      ppdt_used (attribute_id, code); ppdt_code_<i> (code, value, n_steps)
-- out:     ppdt_midpoint (attribute_id, code, value, low_steps, high_steps)
--          one row per (attribute_id, code) used
-- keeps:   never the higher value; the lower one itself only where the type has nothing in between: the driver
--          gives exact numbers one more digit
{% for attribute in private %}
SELECT
    used.attribute_id,
    used.code,
{% if attribute.family == "float" %}
    CAST(CASE
        WHEN low.value + (high.value - low.value) * CAST(0.5 AS FLOAT) BETWEEN low.value AND high.value
            AND low.value + (high.value - low.value) * CAST(0.5 AS FLOAT) < high.value
            THEN low.value + (high.value - low.value) * CAST(0.5 AS FLOAT)
        ELSE low.value
    END AS VARCHAR) AS value,
{% elif attribute.family == "date" %}
    CAST(DATE '1970-01-01' + CAST(low.n_steps + (high.n_steps - low.n_steps) // 2 AS INTEGER) AS VARCHAR) AS value,
{% elif attribute.family == "timestamp" %}
    CAST(make_timestamp(CAST(low.n_steps + (high.n_steps - low.n_steps) // 2 AS BIGINT)) AS VARCHAR) AS value,
{% elif attribute.family == "timestamptz" %}
    concat(CAST(make_timestamp(CAST(low.n_steps + (high.n_steps - low.n_steps) // 2 AS BIGINT)) AS VARCHAR), '+00') AS value,
{% elif attribute.family == "time" %}
    CAST(CAST(make_timestamp(CAST(low.n_steps + (high.n_steps - low.n_steps) // 2 AS BIGINT)) AS TIME) AS VARCHAR) AS value,
{% else %}
    CAST(NULL AS VARCHAR) AS value,
{% endif %}
{% if attribute.family in ("integer", "decimal") %}
    CAST(low.n_steps AS HUGEINT) AS low_steps,
    CAST(high.n_steps AS HUGEINT) AS high_steps
{% else %}
    CAST(NULL AS HUGEINT) AS low_steps,
    CAST(NULL AS HUGEINT) AS high_steps
{% endif %}
FROM ppdt_used AS used
INNER JOIN {{ attribute.dictionary | ident }} AS low ON low.code = used.code
INNER JOIN {{ attribute.dictionary | ident }} AS high ON high.code = used.code + 1
WHERE used.attribute_id = {{ attribute.position | literal }}
{% if not loop.last %}
UNION ALL
{% endif %}
{% endfor %};
