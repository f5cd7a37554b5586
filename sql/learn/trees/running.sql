-- learn/trees/running.sql: for every code of a numeric attribute, how pure the two sides of a cut there are.
--
-- in:      ppdt_class_count (node_id, attribute_id, code, target, weight);
--          ppdt_attribute (attribute_id, is_ordered, n_special)
-- out:     ppdt_running (node_id, attribute_id, at_code, next_code, weight_left, side_sum)
--          one row per known code of a node but its last
-- keeps:   side_sum is the sum of n log2 n over the classes of both sides; only the class at hand
--          changes from one code to the next, so the differences add up exactly
WITH class AS (
    SELECT
        histogram.node_id,
        histogram.attribute_id,
        histogram.code,
        histogram.weight,
        CAST(sum(histogram.weight) OVER up AS BIGINT) AS left_after,
        CAST(sum(histogram.weight) OVER up - histogram.weight AS BIGINT) AS left_before,
        CAST(sum(histogram.weight) OVER whole - sum(histogram.weight) OVER up AS BIGINT)
            AS right_after,
        CAST(sum(histogram.weight) OVER whole - sum(histogram.weight) OVER up + histogram.weight
            AS BIGINT) AS right_before
    FROM ppdt_class_count AS histogram
    INNER JOIN ppdt_attribute AS attribute ON attribute.attribute_id = histogram.attribute_id
    WHERE attribute.is_ordered AND histogram.code >= attribute.n_special
    WINDOW
        whole AS (PARTITION BY histogram.node_id, histogram.attribute_id, histogram.target),
        up AS (
            PARTITION BY histogram.node_id, histogram.attribute_id, histogram.target
            ORDER BY histogram.code ASC
        )
),

change AS (
    SELECT
        node_id,
        attribute_id,
        code,
        sum(weight) AS weight,
        sum({{ xlog("left_after" | ident) }}
            - {{ xlog("left_before" | ident) }}) AS left_change,
        sum({{ xlog("right_after" | ident) }}
            - {{ xlog("right_before" | ident) }}) AS right_change
    FROM class
    GROUP BY node_id, attribute_id, code
),

summed AS (
    SELECT
        node_id,
        attribute_id,
        code AS at_code,
        lead(code) OVER up AS next_code,
        CAST(sum(weight) OVER up AS BIGINT) AS weight_left,
        sum(left_change + right_change) OVER up + sum(left_change) OVER whole AS side_sum
    FROM change
    WINDOW
        up AS (PARTITION BY node_id, attribute_id ORDER BY code ASC),
        whole AS (PARTITION BY node_id, attribute_id)
)

SELECT node_id, attribute_id, at_code, next_code, weight_left, side_sum{% if spans %}, CAST(1 AS BIGINT) AS n_codes{% endif %}

FROM summed
WHERE next_code IS NOT NULL;
