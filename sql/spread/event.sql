-- spread/event.sql: where the ranges of a level begin and end, and what they count at each code between.
--
-- in:      ppdt_form_count (node_id, attribute_id, code, target, weight)
-- out:     ppdt_event (node_id, attribute_id, code, target, weight, change, n_ranges)
--          one row per (node_id, attribute_id, code, target) where something changes
-- keeps:   each of the values that a range may be counts the same, the last takes what does not divide
WITH range_form AS (
{% for attribute in spans %}
    SELECT
        node_id, attribute_id, target, weight,
        code & {{ attribute.value_mask | literal }} AS lo,
        (code & {{ attribute.value_mask | literal }}) + ((code >> {{ attribute.value_bits | literal }}) & {{ attribute.value_mask | literal }}) AS hi,
        code >> {{ (2 * attribute.value_bits) | literal }} AS n_null
    FROM ppdt_form_count
    WHERE attribute_id = {{ attribute.position | literal }} AND code > {{ attribute.value_mask | literal }}
{% if not loop.last %}
    UNION ALL
{% endif %}
{% endfor %}
),

shared AS (
    SELECT node_id, attribute_id, target, weight, lo, hi, n_null,
        weight // (hi - lo + 1 + n_null) AS each_weight
    FROM range_form
),

change AS (
    SELECT node_id, attribute_id, target, lo AS code, 0 AS weight, each_weight AS change, 1 AS n_ranges
    FROM shared
    UNION ALL
    SELECT node_id, attribute_id, target, hi + 1, 0, -each_weight, -1
    FROM shared
    UNION ALL
    SELECT node_id, attribute_id, target, hi, weight - (hi - lo + 1 + n_null) * each_weight, 0, 0
    FROM shared
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
