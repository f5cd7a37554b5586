-- guard/whole.sql: what the whole table offers: no class can have more.
--
-- in:      ppdt_unit_thing (kind, thing)
-- out:     ppdt_whole (kind, n_things)
--          one row per kind
SELECT kind, count(DISTINCT thing) AS n_things
FROM ppdt_unit_thing
GROUP BY kind
ORDER BY kind ASC;
