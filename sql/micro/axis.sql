-- micro/axis.sql: the values of one number as coordinates: whole steps from the lowest one.
--
-- in:      dictionary (code, unit)
-- out:     ppdt_axis_<i> (code, coordinate, step)
--          one row per value
-- keeps:   coordinates are whole and below 2^50, so sums and differences of them are exact; what is
--          no finite number has none
WITH ground AS (
    SELECT
        min(unit) AS least,
        (max(unit) - min(unit)) // 1125899906842624 + 1 AS step
    FROM {{ attribute.dictionary | ident }}
)

SELECT
    dictionary.code,
    CAST((dictionary.unit - ground.least) // ground.step AS DOUBLE) AS coordinate,
    CAST(ground.step AS DOUBLE) AS step
FROM {{ attribute.dictionary | ident }} AS dictionary
CROSS JOIN ground;
