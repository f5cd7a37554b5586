-- methods/microaggregate/neighbour.sql: for some classes the class of their part whose centre is nearest.
--
-- in:      ppdt_home (class_id, part_id); ppdt_centre (part_id, v<i>)
-- out:     ppdt_neighbour (class_id, near_id)
--          one row per class that was asked for and is not alone in its part
-- params:  $class_ids
-- keeps:   nearest pairs first; equally near: the class with the lowest key
WITH asked AS (
    SELECT unnest(CAST($class_ids AS BIGINT[])) AS class_id
),

lone AS (
    SELECT home.class_id, home.part_id{% for axis in axes %}, centre.{{ axis.column | ident }}{% endfor %}

    FROM ppdt_home AS home
    INNER JOIN asked ON asked.class_id = home.class_id
    INNER JOIN ppdt_centre AS centre ON centre.part_id = home.class_id
),

nearest AS (
    SELECT
        lone.class_id,
        min({% with left = "lone", right = "centre" %}{% include "lib/fragments/gap.sql" %}{% endwith %} * 2147483648 + home.class_id) AS place
    FROM lone
    INNER JOIN ppdt_home AS home ON home.part_id = lone.part_id AND home.class_id <> lone.class_id
    INNER JOIN ppdt_centre AS centre ON centre.part_id = home.class_id
    GROUP BY lone.class_id
)

SELECT class_id, place & 2147483647 AS near_id
FROM nearest
ORDER BY place >> 31 ASC, class_id ASC;
