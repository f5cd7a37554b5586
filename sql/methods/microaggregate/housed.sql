-- methods/microaggregate/housed.sql: the rows that were left over join the class of their part whose centre is nearest.
--
-- in:      ppdt_stray (part_id, row_id, v<i>); ppdt_home (class_id, part_id); ppdt_centre (part_id, v<i>)
-- out:     ppdt_housed (row_id, class_id)
--          one row per row that was left over
-- keeps:   equally near: the class with the lowest key
SELECT
    stray.row_id,
    min({% with left = "stray", right = "centre" %}{% include "lib/fragments/gap.sql" %}{% endwith %} * 2147483648 + home.class_id)
    & 2147483647 AS class_id
FROM ppdt_stray AS stray
INNER JOIN ppdt_home AS home ON home.part_id = stray.part_id
INNER JOIN ppdt_centre AS centre ON centre.part_id = home.class_id
GROUP BY stray.row_id;
