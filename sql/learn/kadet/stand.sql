-- learn/kadet/stand.sql: where in the whole table the thresholds stand that nodes may take. On a public number at
-- the largest value not above the midpoint, as in C4.5; on a private one only at the border of a group.
--
-- in:      ppdt_running (attribute_id, at_code, next_code); ppdt_code_<i> (code, n_steps);
--          ppdt_border (attribute_id, code)
-- out:     ppdt_stand (attribute_id, at_code, next_code, stand_code)
--          one row per pair of neighbours in a node; private ones only with a border between them
-- keeps:   as in learn/trees/threshold, 2^9 units are the slack of a scaled float
WITH asked AS (
    SELECT attribute_id, at_code, next_code
    FROM ppdt_running
    GROUP BY attribute_id, at_code, next_code
),

axis AS (
    SELECT CAST(-1 AS INTEGER) AS attribute_id, CAST(0 AS INTEGER) AS code, CAST(0 AS HUGEINT) AS n_steps, 0 AS slack
{% for attribute in ordered %}
    UNION ALL
    SELECT CAST({{ attribute.position | literal }} AS INTEGER), CAST(code AS INTEGER), CAST(n_steps AS HUGEINT),
        {{ (512 if attribute.is_scaled else 0) | literal }}
    FROM {{ attribute.dictionary | ident }}
    WHERE n_steps IS NOT NULL
{% endfor %}
),

event AS (
    SELECT attribute_id, 2 * n_steps AS place, code, NULL AS at_code, NULL AS next_code
    FROM axis
    UNION ALL
    SELECT attribute_id, CAST(code AS HUGEINT), code, NULL, NULL
    FROM ppdt_border
    UNION ALL
    SELECT asked.attribute_id, low.n_steps + high.n_steps + high.slack, NULL, asked.at_code, asked.next_code
    FROM asked
    INNER JOIN axis AS low ON low.attribute_id = asked.attribute_id AND low.code = asked.at_code
    INNER JOIN axis AS high ON high.attribute_id = asked.attribute_id AND high.code = asked.next_code
    UNION ALL
    SELECT asked.attribute_id, CAST(asked.next_code - 1 AS HUGEINT), NULL, asked.at_code, asked.next_code
    FROM asked
    SEMI JOIN ppdt_border AS border ON border.attribute_id = asked.attribute_id
),

reached AS (
    SELECT attribute_id, at_code, next_code,
        max(code) OVER (PARTITION BY attribute_id ORDER BY place ASC) AS code
    FROM event
)

SELECT attribute_id, at_code, next_code, CAST(least(code, next_code - 1) AS INTEGER) AS stand_code
FROM reached
WHERE at_code IS NOT NULL AND code >= at_code;
