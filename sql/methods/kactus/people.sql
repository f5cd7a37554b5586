-- kactus/people.sql: how many entities every group holds.
--
-- in:      ppdt_group_thing (group_id, kind, thing)
-- out:     ppdt_people (group_id, n_entities)
--          one row per group that holds any
SELECT group_id, count(DISTINCT thing) AS n_entities
FROM ppdt_group_thing
WHERE kind = 0
GROUP BY group_id
ORDER BY group_id ASC;
