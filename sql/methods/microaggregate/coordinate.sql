-- methods/microaggregate/coordinate.sql: the values of one number as coordinates: whole steps from the lowest one.
--
-- in:      dictionary (code, n_steps)
-- out:     ppdt_coordinate_<i> (code, coordinate, step)
--          one row per value
-- keeps:   coordinates are whole and below 2^50, so sums and differences of them are exact; what is
--          no finite number has none
WITH scale AS (
    SELECT
        min(n_steps) AS least,
        (max(n_steps) - min(n_steps)) // 1125899906842624 + 1 AS step
    FROM {{ attribute.dictionary | ident }}
)

SELECT
    dictionary.code,
    CAST((dictionary.n_steps - scale.least) // scale.step AS DOUBLE) AS coordinate,
    CAST(scale.step AS DOUBLE) AS step
FROM {{ attribute.dictionary | ident }} AS dictionary
CROSS JOIN scale;
