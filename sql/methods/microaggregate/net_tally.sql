-- methods/microaggregate/net_tally.sql: the tally with everything that was taken away drawn together.
--
-- in:      ppdt_tally (part_id, axis_id, code, n_rows, total)
-- out:     ppdt_net_tally (part_id, axis_id, code, n_rows, total)
--          one row per (part_id, axis_id, code) of parts that still hold rows
SELECT part_id, axis_id, code, CAST(sum(n_rows) AS BIGINT) AS n_rows, CAST(sum(total) AS HUGEINT) AS total
FROM ppdt_tally
GROUP BY part_id, axis_id, code;
