-- methods/kactus/people.sql: how many entities every group holds.
--
-- in:      ppdt_group_protected (group_id, kind, protected_key)
-- out:     ppdt_people (group_id, n_entities)
--          one row per group that holds any
SELECT group_id, count(DISTINCT protected_key) AS n_entities
FROM ppdt_group_protected
WHERE kind = 0
GROUP BY group_id
ORDER BY group_id ASC;
