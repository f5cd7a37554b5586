-- audit/variation.sql: how far a column's values are spread differently in the release and the original.
--
-- in:      the release; the original
-- out:     ppdt_variation (total_variation)
--          one row: half the sum of the differences of shares; 0 is the same, 1 has nothing in common
-- keeps:   NULL is a value; text is told apart by its bytes; whole numbers are divided once
WITH shown AS (
    SELECT release.{{ column | ident }}{% if is_text %} COLLATE "binary"{% endif %} AS value, count(*) AS n_release, 0 AS n_original
    FROM {{ release }} AS release
    GROUP BY ALL
    UNION ALL
    SELECT original.{{ before | ident }}{% if is_text %} COLLATE "binary"{% endif %}, 0, count(*)
    FROM {{ original }} AS original
    GROUP BY ALL
),

value AS (
    SELECT CAST(sum(n_release) AS HUGEINT) AS n_release, CAST(sum(n_original) AS HUGEINT) AS n_original
    FROM shown
    GROUP BY value
),

whole AS (
    SELECT sum(n_release) AS n_release, sum(n_original) AS n_original
    FROM value
)

SELECT round(CAST(sum(abs(value.n_release * whole.n_original - value.n_original * whole.n_release)) AS DOUBLE)
    / nullif(2 * CAST(any_value(whole.n_release) AS DOUBLE) * any_value(whole.n_original), 0), 12) AS total_variation
FROM value
CROSS JOIN whole;
