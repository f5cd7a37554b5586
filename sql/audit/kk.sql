-- audit/kk.sql: with how many rows of the other side each released row and each original row agrees.
--
-- in:      ppdt_class (class_id); ppdt_person (person_id); ppdt_fit (class_id, person_id, n_class, n_people)
-- out:     ppdt_kk (kk_released, kk_original)
--          one row: the fewest original rows that fit a released row, and the other way round
-- paper:   Gionis, Mazza, Tassa 2008, definition 4.1
WITH class AS (
    SELECT coalesce(sum(fit.n_people), 0) AS n_rows
    FROM ppdt_class AS class
    LEFT JOIN ppdt_fit AS fit ON fit.class_id = class.class_id
    GROUP BY class.class_id
),

person AS (
    SELECT coalesce(sum(fit.n_class), 0) AS n_rows
    FROM ppdt_person AS person
    LEFT JOIN ppdt_fit AS fit ON fit.person_id = person.person_id
    GROUP BY person.person_id
)

SELECT
    (SELECT CAST(min(n_rows) AS BIGINT) FROM class) AS kk_released,
    (SELECT CAST(min(n_rows) AS BIGINT) FROM person) AS kk_original;
