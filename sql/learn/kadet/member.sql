-- learn/kadet/member.sql: the span of every cell as its class.
--
-- in:      ppdt_reached_bin (person_id, node_id)
-- out:     ppdt_member (cell_id, class_id)
--          one row per cell
WITH bins AS (
    SELECT person_id, list_sort(list(node_id)) AS node_ids
    FROM ppdt_reached_bin
    GROUP BY person_id
)

SELECT
    person_id AS cell_id,
    CAST(dense_rank() OVER (ORDER BY node_ids ASC) - 1 AS INTEGER) AS class_id
FROM bins;
