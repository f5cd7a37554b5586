-- learn/trees/subset_running.sql: for every place in an order of values, how pure the two sides of a cut there are.
--
-- in:      ppdt_class_count (node_id, attribute_id, code, target, weight);
--          ppdt_value_order (node_id, attribute_id, order_id, code, place)
-- out:     ppdt_subset_running (node_id, attribute_id, order_id, at_place, n_values, weight_left, side_sum)
--          one row per place of an order but its last
-- keeps:   side_sum is the sum of n log2 n over the classes of both sides, added up as `running` does
WITH class AS (
    SELECT
        placed.node_id,
        placed.attribute_id,
        placed.order_id,
        placed.place,
        histogram.weight,
        CAST(sum(histogram.weight) OVER up AS BIGINT) AS left_after,
        CAST(sum(histogram.weight) OVER up - histogram.weight AS BIGINT) AS left_before,
        CAST(sum(histogram.weight) OVER whole - sum(histogram.weight) OVER up AS BIGINT) AS right_after,
        CAST(sum(histogram.weight) OVER whole - sum(histogram.weight) OVER up + histogram.weight
            AS BIGINT) AS right_before
    FROM ppdt_class_count AS histogram
    INNER JOIN ppdt_value_order AS placed
        ON placed.node_id = histogram.node_id
        AND placed.attribute_id = histogram.attribute_id
        AND placed.code = histogram.code
    WINDOW
        whole AS (PARTITION BY placed.node_id, placed.attribute_id, placed.order_id, histogram.target),
        up AS (
            PARTITION BY placed.node_id, placed.attribute_id, placed.order_id, histogram.target
            ORDER BY placed.place ASC
        )
),

change AS (
    SELECT
        node_id,
        attribute_id,
        order_id,
        place,
        sum(weight) AS weight,
        sum({{ xlog("left_after" | ident) }}
            - {{ xlog("left_before" | ident) }}) AS left_change,
        sum({{ xlog("right_after" | ident) }}
            - {{ xlog("right_before" | ident) }}) AS right_change
    FROM class
    GROUP BY node_id, attribute_id, order_id, place
),

summed AS (
    SELECT
        node_id,
        attribute_id,
        order_id,
        place AS at_place,
        CAST(count(*) OVER whole AS INTEGER) AS n_values,
        CAST(sum(weight) OVER up AS BIGINT) AS weight_left,
        sum(left_change + right_change) OVER up + sum(left_change) OVER whole AS side_sum
    FROM change
    WINDOW
        up AS (PARTITION BY node_id, attribute_id, order_id ORDER BY place ASC),
        whole AS (PARTITION BY node_id, attribute_id, order_id)
)

SELECT node_id, attribute_id, order_id, at_place, n_values, weight_left, side_sum
FROM summed
WHERE at_place < n_values;
