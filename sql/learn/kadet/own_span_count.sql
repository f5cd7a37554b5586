-- learn/kadet/own_span_count.sql: the rows of every span where each node has a span of its own: they are the node's.
--
-- in:      ppdt_class_count (node_id, attribute_id, code, weight);
--          ppdt_attribute (attribute_id, is_ordered, n_special)
-- out:     ppdt_span_count (span_id, attribute_id, code, target, weight)
--          one row per (span_id, attribute_id, code): categories, and missing values
-- keeps:   what a threshold leaves on its sides is guarded by the minimum weight of a side
SELECT
    CAST(histogram.node_id AS BIGINT) AS span_id,
    histogram.attribute_id,
    CAST(histogram.code AS INTEGER) AS code,
    CAST(0 AS INTEGER) AS target,
    CAST(sum(histogram.weight) AS BIGINT) AS weight
FROM ppdt_class_count AS histogram
INNER JOIN ppdt_attribute AS attribute ON attribute.attribute_id = histogram.attribute_id
WHERE NOT attribute.is_ordered OR histogram.code < attribute.n_special
GROUP BY histogram.node_id, histogram.attribute_id, histogram.code;
