-- methods/microaggregate/merged.sql: the classes after some have become one with others.
--
-- in:      ppdt_member (row_id, class_id)
-- out:     ppdt_merged (row_id, class_id)
--          one row per row
-- params:  $class_ids, $to_ids
WITH merge AS (
    SELECT
        unnest(CAST($class_ids AS BIGINT[])) AS class_id,
        unnest(CAST($to_ids AS BIGINT[])) AS to_id
)

SELECT member.row_id, coalesce(merge.to_id, member.class_id) AS class_id
FROM ppdt_member AS member
LEFT JOIN merge ON merge.class_id = member.class_id;
