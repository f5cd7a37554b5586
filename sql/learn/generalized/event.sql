-- learn/generalized/event.sql: where the values of ordered attributes stand, where their ranges begin and end, and
-- what these count at each code between.
--
-- in:      ppdt_form_count (node_id, attribute_id, code, target, weight)
-- out:     ppdt_event (node_id, attribute_id, code, target, weight, change, n_ranges)
--          one row per (node_id, attribute_id, code, target) where something changes
-- keeps:   each of the values that a range may be counts the same, the last takes what does not divide
WITH form AS (
{% for attribute in spans %}
    SELECT
        node_id, attribute_id, target, weight,
        code & {{ attribute.value_mask | literal }} AS lo,
        (code & {{ attribute.value_mask | literal }}) + ((code >> {{ attribute.value_bits | literal }}) & {{ attribute.value_mask | literal }}) AS hi,
        code >> {{ (2 * attribute.value_bits) | literal }} AS n_null
    FROM ppdt_form_count
    WHERE attribute_id = {{ attribute.position | literal }}
{% if not loop.last %}
    UNION ALL
{% endif %}
{% endfor %}
),

shared AS (
    SELECT node_id, attribute_id, target, weight, lo, hi, n_null,
        weight // (hi - lo + 1 + n_null) AS each_weight
    FROM form
    WHERE hi > lo OR n_null > 0
),

change AS (
    SELECT node_id, attribute_id, target, lo AS code, weight, 0 AS change, 0 AS n_ranges
    FROM form
    WHERE hi = lo AND n_null = 0
    UNION ALL
    SELECT node_id, attribute_id, target, lo, 0, each_weight, 1
    FROM shared
    UNION ALL
    SELECT node_id, attribute_id, target, hi + 1, 0, -each_weight, -1
    FROM shared
    UNION ALL
    SELECT node_id, attribute_id, target, hi, weight - (hi - lo + 1 + n_null) * each_weight, 0, 0
    FROM shared
    WHERE weight > (hi - lo + 1 + n_null) * each_weight
    UNION ALL
    SELECT node_id, attribute_id, target, 0, each_weight, 0, 0
    FROM shared
    WHERE n_null > 0
)

SELECT node_id, attribute_id, code, target,
    CAST(sum(weight) AS BIGINT) AS weight,
    CAST(sum(change) AS BIGINT) AS change,
    CAST(sum(n_ranges) AS BIGINT) AS n_ranges
FROM change
GROUP BY node_id, attribute_id, code, target;
