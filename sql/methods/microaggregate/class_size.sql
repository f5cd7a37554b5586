-- methods/microaggregate/class_size.sql: how many rows every class holds.
--
-- in:      ppdt_member (class_id), or another relation of that form
-- out:     ppdt_group (group_id, n_rows)
--          one row per class
SELECT class_id AS group_id, count(*) AS n_rows
FROM {{ place | ident }}
GROUP BY class_id;
