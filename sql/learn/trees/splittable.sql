-- learn/trees/splittable.sql: the nodes that could still be split: of several classes, and heavy enough for two.
--
-- in:      ppdt_count (node_id, target, weight)
-- out:     ppdt_splittable (node_id, weight, class_sum)
--          one row per open node with more than one class and twice the minimum weight
-- params:  $min_weight
-- keeps:   class_sum is the sum of n log2 n over the classes, in exact decimals
SELECT
    node_id,
    CAST(sum(weight) AS BIGINT) AS weight,
    sum({{ xlog("weight" | ident) }}) AS class_sum
FROM ppdt_count
GROUP BY node_id
HAVING sum(weight) >= 2 * $min_weight AND max(weight) < sum(weight);
