-- methods/microaggregate/size.sql: the most rows that any part has left.
--
-- in:      ppdt_point (part_id, row_id)
-- out:     ppdt_size (n_rows)
--          one row
SELECT coalesce(max(n_rows), 0) AS n_rows
FROM (
    SELECT part_id, count(*) AS n_rows
    FROM ppdt_point
    GROUP BY part_id
) AS part;
