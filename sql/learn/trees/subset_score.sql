-- learn/trees/subset_score.sql: for every node and categorical attribute, the best division of its values in two
-- with enough on both sides.
--
-- in:      ppdt_subset_running (node_id, attribute_id, order_id, at_place, n_values, weight_left, side_sum);
--          ppdt_known (node_id, attribute_id, weight, weight_known, weight_missing, class_sum, missing_sum);
--          ppdt_splittable (node_id, class_sum)
-- out:     ppdt_subset_score (node_id, attribute_id, order_id, at_place, n_values, weight_left, weight_known, weight,
--          gain, ratio)
--          one row per (node_id, attribute_id) with a division that gains
-- params:  $min_weight
-- keeps:   equal gains: the order of the heavier class, then the fewer values before the cut
WITH allowed AS (
    SELECT
        running.node_id, running.attribute_id, running.order_id, running.at_place, running.n_values,
        running.weight_left, running.side_sum,
        known.weight, known.weight_known,
        running.weight_left AS weight_1,
        known.weight_known - running.weight_left AS weight_2,
        known.weight_missing AS weight_3,
        known.class_sum, known.missing_sum,
        node.class_sum AS node_sum
    FROM ppdt_subset_running AS running
    INNER JOIN ppdt_known AS known
        ON known.node_id = running.node_id AND known.attribute_id = running.attribute_id
    INNER JOIN ppdt_splittable AS node ON node.node_id = running.node_id
    WHERE least(running.weight_left, known.weight_known - running.weight_left) >= $min_weight
),

measured AS (
    SELECT node_id, attribute_id, order_id, at_place, n_values, weight_left, weight_known, weight,
        {%+ include "lib/fragments/sides.sql" %}

    FROM allowed
),

ranked AS (
    SELECT
        node_id, attribute_id, order_id, at_place, n_values, weight_left, weight_known, weight, gain, split_info,
        row_number() OVER (
            PARTITION BY node_id, attribute_id ORDER BY gain DESC, order_id ASC, at_place ASC
        ) AS rank
    FROM measured
)

SELECT
    node_id, attribute_id, order_id, at_place, n_values, weight_left, weight_known, weight, gain,
    round(gain / split_info, 12) AS ratio
FROM ranked
WHERE rank = 1 AND gain > 0;
