-- bayes/normal.sql: the mean and spread of every ordered feature in each class.
--
-- in:      nothing
-- out:     ppdt_normal (attribute_id, class_id, mean, deviation, precision)
--          one row per (attribute_id, class_id)
-- params:  $attribute_ids, $class_ids, $means, $deviations, $precisions
SELECT
    CAST(unnest($attribute_ids) AS INTEGER) AS attribute_id,
    CAST(unnest($class_ids) AS INTEGER) AS class_id,
    CAST(unnest($means) AS DOUBLE) AS mean,
    CAST(unnest($deviations) AS DOUBLE) AS deviation,
    CAST(unnest($precisions) AS DOUBLE) AS precision;
