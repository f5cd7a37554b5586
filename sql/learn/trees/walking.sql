-- learn/trees/walking.sql: how many units still walk.
--
-- in:      ppdt_walk (is_arrived)
-- out:     ppdt_walking (n_units)
--          one row
SELECT count(*) AS n_units
FROM ppdt_walk
WHERE NOT is_arrived;
