-- learn/trees/side_branch.sql: the branches of the chosen splits in binary trees: several values lead to one child.
--
-- in:      ppdt_class_count (node_id, attribute_id, code, weight); ppdt_choice (node_id, attribute_id, at_code);
--          ppdt_attribute (attribute_id, is_ordered, n_special);
--          ppdt_subset_score (node_id, attribute_id, order_id, at_place);
--          ppdt_value_order (node_id, attribute_id, order_id, code, place)
-- out:     ppdt_branch (node_id, branch, child_id, weight, weight_before, weight_known)
--          one row per (node_id, branch) that rows take
-- params:  $n_nodes
-- keeps:   branch -1 (missing) is there where missing values have a branch of their own; of several
--          values that lead to one child, the first has its weight
WITH taken AS (
    SELECT
        histogram.node_id,
        CASE
            WHEN histogram.code < attribute.n_special THEN -1
            WHEN attribute.is_ordered THEN CAST(histogram.code > cut.at_code AS INTEGER)
            ELSE histogram.code
        END AS branch,
        CASE
            WHEN histogram.code < attribute.n_special THEN -1
            WHEN attribute.is_ordered THEN CAST(histogram.code > cut.at_code AS INTEGER)
            ELSE CAST(value.place > subset.at_place AS INTEGER)
        END AS side,
        CAST(sum(histogram.weight) AS BIGINT) AS weight
    FROM ppdt_class_count AS histogram
    INNER JOIN ppdt_choice AS cut
        ON cut.node_id = histogram.node_id AND cut.attribute_id = histogram.attribute_id
    INNER JOIN ppdt_attribute AS attribute ON attribute.attribute_id = cut.attribute_id
    LEFT JOIN ppdt_subset_score AS subset
        ON subset.node_id = cut.node_id AND subset.attribute_id = cut.attribute_id
    LEFT JOIN ppdt_value_order AS value
        ON value.node_id = subset.node_id
        AND value.attribute_id = subset.attribute_id
        AND value.order_id = subset.order_id
        AND value.code = histogram.code
    GROUP BY histogram.node_id, branch, side
),

sided AS (
    SELECT
        node_id,
        branch,
        CAST($n_nodes + dense_rank() OVER (ORDER BY node_id ASC, side ASC) - 1 AS INTEGER) AS child_id,
        CAST(CASE
            WHEN row_number() OVER (PARTITION BY node_id, side ORDER BY branch ASC) = 1
                THEN sum(weight) OVER (PARTITION BY node_id, side)
            ELSE 0
        END AS BIGINT) AS weight
    FROM taken
{% if not has_branch %}
    WHERE branch >= 0
{% endif %}
)

SELECT
    node_id,
    branch,
    child_id,
    weight,
    CAST(sum(weight) OVER (PARTITION BY node_id ORDER BY branch ASC) - weight AS BIGINT)
        AS weight_before,
    CAST(sum(weight) OVER (PARTITION BY node_id) AS BIGINT) AS weight_known
FROM sided;
