-- methods/tiers/class_part.sql: the parts in which the rows of every class are.
--
-- in:      ppdt_member (class_id); ppdt_shared (class_id, own_id, part_ids)
-- out:     ppdt_class_part (class_id, part_id)
--          one row per (class_id, part_id)
SELECT class_id, class_id AS part_id
FROM (SELECT DISTINCT class_id FROM ppdt_member) AS class
ANTI JOIN ppdt_shared AS shared ON shared.class_id = class.class_id
UNION ALL
SELECT class_id, CAST(own_id AS BIGINT) AS part_id
FROM ppdt_shared
UNION ALL
SELECT class_id, CAST(unnest(part_ids) AS BIGINT) AS part_id
FROM ppdt_shared;
