-- guard/whole.sql: what the whole table offers: no class can have more.
--
-- in:      ppdt_unit_protected (kind, protected_key)
-- out:     ppdt_whole (kind, n_subjects)
--          one row per kind
SELECT kind, count(DISTINCT protected_key) AS n_subjects
FROM ppdt_unit_protected
GROUP BY kind
ORDER BY kind ASC;
