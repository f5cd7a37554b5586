-- learn/knn/k_distance.sql: how far the k-th neighbour of every asked row of a batch is at most.
--
-- in:      ppdt_asked_place (row_id, own, x_<i>, far_<i>, q_<i>, m_<i>); ppdt_known_place (the same)
-- out:     ppdt_k_distance (row_id, distance)
--          one row per asked row of the batch
-- params:  $first_row, $last_row, $n_parts
WITH pair AS (
    SELECT
        asked.row_id,
        {%+ include "lib/fragments/distance.sql" %} AS distance
    FROM ppdt_asked_place AS asked
    CROSS JOIN ppdt_known_place AS known
    WHERE asked.row_id BETWEEN $first_row AND $last_row AND known.row_id % $n_parts = 0
)

SELECT row_id, list_max(min(distance, {{ k | literal }})) AS distance
FROM pair
GROUP BY row_id;
