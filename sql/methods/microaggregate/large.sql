-- methods/microaggregate/large.sql: the classes that have grown so large that they can be divided.
--
-- in:      ppdt_member (row_id, class_id)
-- out:     ppdt_large (row_id, class_id)
--          one row per row of a class of at least 2 $k rows
-- params:  $k
WITH heavy AS (
    SELECT class_id
    FROM ppdt_member
    GROUP BY class_id
    HAVING count(*) >= 2 * $k
)

SELECT member.row_id, member.class_id
FROM ppdt_member AS member
SEMI JOIN heavy ON heavy.class_id = member.class_id;
