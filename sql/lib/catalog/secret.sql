-- lib/catalog/secret.sql: the key of a catalog's digests.
--
-- in:      nothing
-- out:     ppdt.secret (name, value)
--          one row
-- params:  $digest_key
SELECT 'digest_key' AS name, $digest_key AS value;
