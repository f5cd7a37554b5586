-- learn/kadet/flank.sql: in every span, the rows on both sides of a threshold at each code of a public number.
--
-- in:      ppdt_span_count (span_id, attribute_id, code, target, weight);
--          ppdt_attribute (attribute_id, is_ordered, n_special)
-- out:     ppdt_flank (span_id, attribute_id, at_code, next_code, weight_left, weight_right, left_sum, right_sum)
--          one row per known code of a span but its last
-- keeps:   left_sum and right_sum: n log2 n over the classes of a side, in exact decimals; 0 where
--          classes do not matter
WITH {% if has_entropy %}class AS (
    SELECT
        tally.span_id,
        tally.attribute_id,
        tally.code,
        tally.weight,
        CAST(sum(tally.weight) OVER up AS BIGINT) AS left_after,
        CAST(sum(tally.weight) OVER up - tally.weight AS BIGINT) AS left_before,
        CAST(sum(tally.weight) OVER whole - sum(tally.weight) OVER up AS BIGINT) AS right_after,
        CAST(sum(tally.weight) OVER whole - sum(tally.weight) OVER up + tally.weight AS BIGINT) AS right_before
    FROM ppdt_span_count AS tally
    INNER JOIN ppdt_attribute AS attribute ON attribute.attribute_id = tally.attribute_id
    WHERE attribute.is_ordered AND tally.code >= attribute.n_special
    WINDOW
        whole AS (PARTITION BY tally.span_id, tally.attribute_id, tally.target),
        up AS (PARTITION BY tally.span_id, tally.attribute_id, tally.target ORDER BY tally.code ASC)
),

{% endif %}
change AS (
{% if has_entropy %}
    SELECT
        span_id,
        attribute_id,
        code,
        sum(weight) AS weight,
        sum({{ xlog("left_after" | ident) }} - {{ xlog("left_before" | ident) }}) AS left_change,
        sum({{ xlog("right_before" | ident) }} - {{ xlog("right_after" | ident) }}) AS right_change
    FROM class
    GROUP BY span_id, attribute_id, code
{% else %}
    SELECT tally.span_id, tally.attribute_id, tally.code, tally.weight
    FROM ppdt_span_count AS tally
    INNER JOIN ppdt_attribute AS attribute ON attribute.attribute_id = tally.attribute_id
    WHERE attribute.is_ordered AND tally.code >= attribute.n_special
{% endif %}
),

summed AS (
    SELECT
        span_id,
        attribute_id,
        code AS at_code,
        lead(code) OVER up AS next_code,
        CAST(sum(weight) OVER up AS BIGINT) AS weight_left,
        CAST(sum(weight) OVER whole - sum(weight) OVER up AS BIGINT) AS weight_right,
        {%+ if has_entropy %}sum(left_change) OVER up{% else %}0{% endif %} AS left_sum,
        {%+ if has_entropy %}sum(right_change) OVER whole - sum(right_change) OVER up{% else %}0{% endif %} AS right_sum
    FROM change
    WINDOW
        up AS (PARTITION BY span_id, attribute_id ORDER BY code ASC),
        whole AS (PARTITION BY span_id, attribute_id)
)

SELECT span_id, attribute_id, at_code, next_code, weight_left, weight_right, left_sum, right_sum
FROM summed
WHERE next_code IS NOT NULL;
