-- learn/trees/known.sql: for every node and attribute, how much is known of it, and its classes' share.
--
-- in:      ppdt_class_count (node_id, attribute_id, code, target, weight);
--          ppdt_attribute (attribute_id, n_special); ppdt_splittable (node_id, weight)
-- out:     ppdt_known (node_id, attribute_id, weight, weight_known, weight_missing, class_sum, missing_sum)
--          one row per (node_id, attribute_id) with a known value
-- keeps:   class_sum and missing_sum: n log2 n over the classes of the known and the missing rows
WITH class AS (
    SELECT
        histogram.node_id,
        histogram.attribute_id,
        histogram.target,
        CAST(coalesce(sum(histogram.weight) FILTER (
            WHERE histogram.code >= attribute.n_special
        ), 0) AS BIGINT) AS weight,
        CAST(coalesce(sum(histogram.weight) FILTER (
            WHERE histogram.code < attribute.n_special
        ), 0) AS BIGINT) AS weight_missing
    FROM ppdt_class_count AS histogram
    INNER JOIN ppdt_attribute AS attribute ON attribute.attribute_id = histogram.attribute_id
    GROUP BY histogram.node_id, histogram.attribute_id, histogram.target
)

SELECT
    class.node_id,
    class.attribute_id,
    node.weight,
    CAST(sum(class.weight) AS BIGINT) AS weight_known,
    CAST(sum(class.weight_missing) AS BIGINT) AS weight_missing,
    sum({{ xlog(("class", "weight") | ident) }}) AS class_sum,
    sum({{ xlog(("class", "weight_missing") | ident) }}) AS missing_sum
FROM class
INNER JOIN ppdt_splittable AS node ON node.node_id = class.node_id
GROUP BY class.node_id, class.attribute_id, node.weight
HAVING sum(class.weight) > 0;
