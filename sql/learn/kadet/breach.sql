-- learn/kadet/breach.sql: where the rows of a span must not be told apart: too few of them, or too much of one
-- class, would be left together.
--
-- in:      ppdt_span_count (span_id, attribute_id, code, target, weight);
--          ppdt_attribute (attribute_id, is_ordered, n_special);
--          ppdt_flank (span_id, attribute_id, at_code, next_code, weight_left, weight_right, left_sum, right_sum)
-- out:     ppdt_breach (span_id, attribute_id, from_code, upto_code)
--          one row per run of codes from which no threshold may be taken; all codes where a single value,
--          the missing ones of a number, or its known ones breach by themselves
-- params:  $min_weight, $least_entropy
-- keeps:   a part that holds nobody links nobody to anything; a threshold beyond the values of a span parts the
--          known from the missing ones
WITH class AS (
    SELECT
        tally.span_id,
        tally.attribute_id,
        CASE
            WHEN NOT attribute.is_ordered THEN tally.code
            WHEN tally.code < attribute.n_special THEN -1
            ELSE -2
        END AS code,
        tally.target,
        CAST(sum(tally.weight) AS BIGINT) AS weight
    FROM ppdt_span_count AS tally
    INNER JOIN ppdt_attribute AS attribute ON attribute.attribute_id = tally.attribute_id
    GROUP BY tally.span_id, tally.attribute_id, 3, tally.target
),

value AS (
    SELECT span_id, attribute_id, code, CAST(sum(weight) AS BIGINT) AS weight,
        sum({{ xlog(("class", "weight") | ident) }}) AS class_sum
    FROM class
    GROUP BY span_id, attribute_id, code
){% if not is_apart %},{% endif %}

{% if not is_apart %}
judged AS (
    SELECT span_id, attribute_id, at_code, next_code,
        ({% with weight = "weight_left" | ident, class_sum = "left_sum" %}{% include "lib/fragments/breaks.sql" %}{% endwith %})
        OR ({% with weight = "weight_right" | ident, class_sum = "right_sum" %}{% include "lib/fragments/breaks.sql" %}{% endwith %}) AS breaks
    FROM ppdt_flank
),

run AS (
    SELECT span_id, attribute_id, at_code, next_code, breaks,
        sum(CAST(NOT breaks AS INTEGER)) OVER (
            PARTITION BY span_id, attribute_id ORDER BY at_code ASC
        ) AS run_id
    FROM judged
)

SELECT span_id, attribute_id, min(at_code) AS from_code, max(next_code) AS upto_code
FROM run
WHERE breaks
GROUP BY span_id, attribute_id, run_id
UNION ALL
{% endif %}
SELECT span_id, attribute_id, CAST(-1 AS INTEGER) AS from_code, CAST(2147483647 AS INTEGER) AS upto_code
FROM value
WHERE {% with weight = "weight" | ident, class_sum = "class_sum" %}{% include "lib/fragments/breaks.sql" %}{% endwith %}

GROUP BY span_id, attribute_id;
