-- learn/generalized/size.sql: how many points or members an axis has.
--
-- in:      ppdt_axis_<i> (code)
-- out:     ppdt_axis_size (n_codes)
--          one row
SELECT count(*) AS n_codes
FROM {{ feature.axis_relation }};
