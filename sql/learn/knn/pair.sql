-- learn/knn/pair.sql: the known rows that can be among the nearest of an asked row.
--
-- in:      ppdt_asked_place (row_id, own, x_<i>, far_<i>, q_<i>, m_<i>); ppdt_known_place (the same);
--          ppdt_k_distance (row_id, distance)
-- out:     ppdt_pair (row_id, answer, n_rows, distance)
--          one row per pair that is near enough
-- params:  $first_row, $last_row
WITH pair AS (
    SELECT
        asked.row_id,
        known.answer,
        known.n_rows,
        bound.distance AS bound,
        {%+ include "lib/fragments/distance.sql" %} AS distance
    FROM ppdt_asked_place AS asked
    INNER JOIN ppdt_k_distance AS bound ON bound.row_id = asked.row_id
    CROSS JOIN ppdt_known_place AS known
    WHERE asked.row_id BETWEEN $first_row AND $last_row
)

SELECT row_id, answer, n_rows, distance
FROM pair
WHERE distance <= bound;
