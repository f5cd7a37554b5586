-- learn/trees/branch.sql: the branches of the chosen splits, with numbers for the nodes that they lead to.
--
-- in:      ppdt_class_count (node_id, attribute_id, code, weight); ppdt_choice (node_id, attribute_id, at_code);
--          ppdt_attribute (attribute_id, is_ordered, n_special)
-- out:     ppdt_branch (node_id, branch, child_id, weight, weight_before, weight_known)
--          one row per (node_id, branch) that rows take
-- params:  $n_nodes
-- keeps:   branch -1 (missing) is there where missing values have a branch of their own
WITH taken AS (
    SELECT
        histogram.node_id,
        CASE
            WHEN histogram.code < attribute.n_special THEN -1
            WHEN attribute.is_ordered THEN CAST(histogram.code > cut.at_code AS INTEGER)
            ELSE histogram.code
        END AS branch,
        CAST(sum(histogram.weight) AS BIGINT) AS weight
    FROM ppdt_class_count AS histogram
    INNER JOIN ppdt_choice AS cut
        ON cut.node_id = histogram.node_id AND cut.attribute_id = histogram.attribute_id
    INNER JOIN ppdt_attribute AS attribute ON attribute.attribute_id = cut.attribute_id
    GROUP BY histogram.node_id, branch
)

SELECT
    node_id,
    branch,
    CAST($n_nodes + row_number() OVER (ORDER BY node_id ASC, branch ASC) - 1 AS INTEGER) AS child_id,
    weight,
    CAST(sum(weight) OVER (PARTITION BY node_id ORDER BY branch ASC) - weight AS BIGINT)
        AS weight_before,
    CAST(sum(weight) OVER (PARTITION BY node_id) AS BIGINT) AS weight_known
FROM taken
{% if not has_branch %}
WHERE branch >= 0
{% endif %};
