-- learn/knn/answer.sql: what the nearest say of every asked row of a batch.
--
-- in:      ppdt_pair (row_id, answer, n_rows, distance)
-- out:     ppdt_answer (row_id, answer)
--          one row per asked row of the batch
-- params:  $k
-- keeps:   all rows as far as the k-th vote; of equal classes the first
WITH step AS (
    SELECT row_id, distance, sum(n_rows) AS n_rows
    FROM ppdt_pair
    GROUP BY row_id, distance
),

reached AS (
    SELECT
        row_id,
        distance,
        coalesce(sum(n_rows) OVER (
            PARTITION BY row_id ORDER BY distance ASC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), 0) AS n_nearer
    FROM step
),

heard AS (
    SELECT pair.row_id, pair.answer, sum(pair.n_rows) AS n_rows
    FROM ppdt_pair AS pair
    INNER JOIN reached ON reached.row_id = pair.row_id AND reached.distance = pair.distance
    WHERE reached.n_nearer < $k
    GROUP BY pair.row_id, pair.answer
),

ranked AS (
    SELECT row_id, answer, row_number() OVER (PARTITION BY row_id ORDER BY n_rows DESC, answer ASC) AS place
    FROM heard
)

SELECT row_id, answer
FROM ranked
WHERE place = 1;
