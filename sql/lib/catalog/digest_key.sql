-- lib/catalog/digest_key.sql: read the key of a catalog's digests.
--
-- in:      ppdt.secret (name, value)
-- out:     ppdt_digest_key (value)
--          one row
SELECT value
FROM {{ schema | ident }}.secret
WHERE name = 'digest_key';
