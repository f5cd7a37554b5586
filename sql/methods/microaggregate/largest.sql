-- methods/microaggregate/largest.sql: how many rows the largest part holds.
--
-- in:      ppdt_coarse (class_id)
-- out:     ppdt_largest (n_rows)
--          one row
SELECT coalesce(max(n_rows), 0) AS n_rows
FROM (
    SELECT class_id, count(*) AS n_rows
    FROM ppdt_coarse
    GROUP BY class_id
) AS part;
