-- learn/generalized/side_weight.sql: the weights by code of the chosen attributes; of one with ranges, of the two sides.
--
-- in:      ppdt_class_count (node_id, attribute_id, code, weight); ppdt_choice (node_id, attribute_id, at_code);
--          ppdt_running (node_id, attribute_id, at_code, weight_left);
--          ppdt_known (node_id, attribute_id, weight_known)
-- out:     ppdt_side_weight (node_id, attribute_id, code, weight)
--          one or more rows per (node_id, attribute_id, code)
WITH cut AS (
    SELECT node_id, attribute_id, at_code,
        attribute_id IN ({% for attribute in spans %}{{ attribute.position | literal }}{{ comma(loop) }}{% endfor %}) AS has_ranges
    FROM ppdt_choice
)

SELECT histogram.node_id, histogram.attribute_id, histogram.code, histogram.weight
FROM ppdt_class_count AS histogram
INNER JOIN cut
    ON cut.node_id = histogram.node_id AND cut.attribute_id = histogram.attribute_id
WHERE NOT cut.has_ranges OR (histogram.code = 0 AND histogram.weight > 0)
UNION ALL
SELECT cut.node_id, cut.attribute_id, cut.at_code + way.side,
    CASE way.side WHEN 0 THEN running.weight_left ELSE known.weight_known - running.weight_left END
FROM cut
INNER JOIN ppdt_running AS running
    ON running.node_id = cut.node_id AND running.attribute_id = cut.attribute_id
    AND running.at_code = cut.at_code
INNER JOIN ppdt_known AS known
    ON known.node_id = cut.node_id AND known.attribute_id = cut.attribute_id
CROSS JOIN (SELECT unnest([0, 1]) AS side) AS way
WHERE cut.has_ranges;
