-- learn/kadet/axis.sql: where the codes at which thresholds may stand lie: on a public number all of them, on a private
-- one the borders of groups.
--
-- in:      ppdt_code_<i> (code, n_steps); ppdt_border (attribute_id, code)
-- out:     ppdt_axis (attribute_id, code, n_steps, slack, place)
--          one row per code
-- keeps:   as in learn/trees/threshold, 2^9 units are the slack of a scaled float
SELECT attribute_id, code, CAST(NULL AS HUGEINT) AS n_steps, CAST(0 AS INTEGER) AS slack, CAST(code AS HUGEINT) AS place
FROM ppdt_border
{% for attribute in ordered %}
UNION ALL
SELECT CAST({{ attribute.position | literal }} AS INTEGER), CAST(code AS INTEGER), CAST(n_steps AS HUGEINT),
    CAST({{ (512 if attribute.is_scaled else 0) | literal }} AS INTEGER), 2 * CAST(n_steps AS HUGEINT)
FROM {{ attribute.dictionary | ident }}
WHERE n_steps IS NOT NULL
{% endfor %};
