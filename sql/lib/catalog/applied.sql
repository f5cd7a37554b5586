-- lib/catalog/applied.sql: the migrations that a catalog has seen.
--
-- in:      ppdt.migration
-- out:     ppdt_applied (number, checksum)
--          one row per migration
SELECT number, checksum
FROM {{ schema | ident }}.migration
ORDER BY number ASC;
