-- learn/generalized/tested.sql: the members that a tree knows of a nominal feature; 1 is left for all others.
--
-- in:      nothing
-- out:     ppdt_axis_<i> (code, value)
--          one row per member
-- params:  $values
SELECT
    CAST(1 + unnest(generate_series(1, array_length(CAST($values AS VARCHAR[])))) AS INTEGER) AS code,
    unnest(CAST($values AS VARCHAR[])) AS value;
