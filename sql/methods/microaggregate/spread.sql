-- methods/microaggregate/spread.sql: how widely the values of one number lie, from exact sums.
--
-- in:      ppdt_coordinate_<i> (code, coordinate, step); dictionary (code, n_rows)
-- out:     ppdt_spread (n_values, total, squares, span, step)
--          one row
SELECT
    CAST(coalesce(sum(dictionary.n_rows), 0) AS HUGEINT) AS n_values,
    coalesce(sum(CAST(axis.coordinate AS HUGEINT) * dictionary.n_rows), 0) AS total,
    coalesce(sum(
        CAST(axis.coordinate AS HUGEINT) * CAST(axis.coordinate AS HUGEINT) * dictionary.n_rows
    ), 0) AS squares,
    coalesce(max(axis.coordinate), 0) AS span,
    coalesce(max(axis.step), 1) AS step
FROM {{ attribute.coordinate_relation }} AS axis
INNER JOIN {{ attribute.dictionary | ident }} AS dictionary ON dictionary.code = axis.code
WHERE axis.coordinate IS NOT NULL;
