-- learn/trees/subset_extent.sql: how far the values of a category reach before and after it is divided.
--
-- in:      ppdt_subset_score (node_id, attribute_id, at_place, n_values, weight_left, weight_known, weight);
--          ppdt_attribute (attribute_id, n_values)
-- out:     ppdt_side_extent (node_id, attribute_id, weight, weight_known, weight_left, whole, low_side, high_side)
--          one row per (node_id, attribute_id)
-- keeps:   a set counts by its share of the table's values, a single value nothing
SELECT
    subset.node_id,
    subset.attribute_id,
    subset.weight,
    subset.weight_known,
    subset.weight_left,
    CAST(subset.n_values AS DOUBLE) / attribute.n_values AS whole,
    CASE
        WHEN subset.at_place > 1 THEN CAST(subset.at_place AS DOUBLE) / attribute.n_values
        ELSE 0
    END AS low_side,
    CASE
        WHEN subset.n_values - subset.at_place > 1
            THEN CAST(subset.n_values - subset.at_place AS DOUBLE) / attribute.n_values
        ELSE 0
    END AS high_side
FROM ppdt_subset_score AS subset
INNER JOIN ppdt_attribute AS attribute ON attribute.attribute_id = subset.attribute_id;
