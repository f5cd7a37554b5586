-- learn/trees/branch_score.sql: what a branch for every value of a categorical attribute gains.
--
-- in:      ppdt_class_count (node_id, attribute_id, code, target, weight);
--          ppdt_known (node_id, attribute_id, weight, weight_known, weight_missing, class_sum);
--          ppdt_splittable (node_id, class_sum); ppdt_attribute (attribute_id, is_ordered, n_special)
-- out:     ppdt_branch_score (node_id, attribute_id, gain, ratio)
--          one row per (node_id, attribute_id) with two branches of the minimum weight
-- params:  $min_weight
WITH bag AS (
    SELECT
        histogram.node_id,
        histogram.attribute_id,
        histogram.code,
        CAST(sum(histogram.weight) AS BIGINT) AS weight,
        sum({{ xlog(("histogram", "weight") | ident) }}) AS class_sum
    FROM ppdt_class_count AS histogram
    INNER JOIN ppdt_attribute AS attribute ON attribute.attribute_id = histogram.attribute_id
    WHERE NOT attribute.is_ordered{% if not has_branch %} AND histogram.code >= attribute.n_special{% endif %}

    GROUP BY histogram.node_id, histogram.attribute_id, histogram.code
),

summed AS (
    SELECT
        node_id,
        attribute_id,
        sum({{ xlog("weight" | ident) }}) AS bag_sum,
        sum(class_sum) AS class_sum
    FROM bag
    GROUP BY node_id, attribute_id
    HAVING count(*) FILTER (WHERE weight >= $min_weight) >= 2
),

scored AS (
    SELECT
        summed.node_id,
        summed.attribute_id,
        round(CAST(
            {%+ if has_branch %}{{ xlog(("known", "weight") | ident) }} - node.class_sum
            {% else %}{{ xlog(("known", "weight_known") | ident) }} - known.class_sum
            {%+ endif %}- (summed.bag_sum - summed.class_sum)
        AS DOUBLE) / (known.weight / 1e6), 12) AS gain,
        CAST(
            {{ xlog(("known", "weight") | ident) }} - summed.bag_sum
            {%+ if not has_branch %}- {{ xlog(("known", "weight_missing") | ident) }}{% endif %}

        AS DOUBLE) / (known.weight / 1e6) AS split_info
    FROM summed
    INNER JOIN ppdt_known AS known
        ON known.node_id = summed.node_id AND known.attribute_id = summed.attribute_id
    INNER JOIN ppdt_splittable AS node ON node.node_id = summed.node_id
)

SELECT
    node_id,
    attribute_id,
    gain,
    {%+ if criterion == "ratio" %}round(gain / split_info, 12){% else %}gain{% endif %} AS ratio
FROM scored;
