-- tools/evaluate/two_labels.sql: how many values have more than one label.
--
-- in:      ppdt_map_<i> (value, label)
-- out:     ppdt_two_labels (n_values)
--          one row
SELECT count(*) - count(DISTINCT coalesce(concat('=', CAST(value AS VARCHAR)), 'NULL')) AS n_values
FROM {{ map | ident }};
