-- methods/datafly/n_buckets.sql: how many different values each attribute has at each of its levels.
--
-- in:      ppdt_generalization (attribute_id, level, bucket_id)
-- out:     ppdt_n_buckets (attribute_id, level, n_buckets)
--          one row per (attribute_id, level)
SELECT attribute_id, level, count(DISTINCT bucket_id) AS n_buckets
FROM ppdt_generalization
GROUP BY attribute_id, level
ORDER BY attribute_id ASC, level ASC;
