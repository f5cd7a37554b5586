-- audit/journalist.sql: the risk of the released rows among the people of a population.
--
-- in:      ppdt_class (class_id, n_rows); ppdt_fit (class_id, person_id, n_class, n_people); ppdt_person (person_id)
-- out:     ppdt_journalist (journalist_risk_max, journalist_risk_mean, rows_at_journalist_risk, rows_population_unique,
--          classes_beyond_population, delta_presence_min, delta_presence_max)
--          one row
-- params:  $risk_threshold
-- keeps:   a class has at least as many people behind it as it has rows; a class with fewer is counted: the
--          population is then not what the release was drawn from
-- paper:   Nergiz, Atzori, Clifton 2007, definition 4
WITH class AS (
    SELECT
        class.class_id,
        class.n_rows,
        CAST(coalesce(sum(fit.n_people), 0) AS BIGINT) AS n_people
    FROM ppdt_class AS class
    LEFT JOIN ppdt_fit AS fit ON fit.class_id = class.class_id
    GROUP BY class.class_id, class.n_rows
),

present AS (
    SELECT n_rows, n_people, greatest(n_rows, n_people) AS n_behind
    FROM class
),

absent AS (
    SELECT count(*) AS n_people
    FROM ppdt_person AS person
    ANTI JOIN ppdt_fit AS fit ON fit.person_id = person.person_id
)

SELECT
    round(max(1.0 / CAST(n_behind AS DOUBLE)), 12) AS journalist_risk_max,
    round(CAST(sum(CAST(n_rows / CAST(n_behind AS DOUBLE) AS DECIMAL(38, 12))) AS DOUBLE) / sum(n_rows), 12) AS journalist_risk_mean,
    CAST(coalesce(sum(n_rows) FILTER (WHERE 1.0 / n_behind > $risk_threshold), 0) AS BIGINT) AS rows_at_journalist_risk,
    count(*) FILTER (WHERE n_behind = 1) AS rows_population_unique,
    count(*) FILTER (WHERE n_people < n_rows) AS classes_beyond_population,
    CASE WHEN (SELECT n_people FROM absent) > 0 THEN 0 ELSE round(min(n_rows / CAST(n_behind AS DOUBLE)), 12) END AS delta_presence_min,
    round(max(n_rows / CAST(n_behind AS DOUBLE)), 12) AS delta_presence_max
FROM present;
