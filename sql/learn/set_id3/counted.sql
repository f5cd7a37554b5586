-- learn/set_id3/counted.sql: how many sets a column has, and whether nothing is known of some rows.
--
-- in:      ppdt_value_name_<i> (value)
-- out:     ppdt_counted (n_codes, n_nulls)
--          one row
SELECT count(*) AS n_codes, count(*) FILTER (WHERE value IS NULL) AS n_nulls
FROM {{ attribute.value_name_relation }};
