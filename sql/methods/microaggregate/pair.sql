-- methods/microaggregate/pair.sql: two clusters at once: around the seed, and around the row farthest from it.
--
-- in:      ppdt_point (part_id, row_id, v<i>); ppdt_ring (part_id, class_id, nearest, farthest_id)
-- out:     ppdt_taken (part_id, class_id, row_id)
--          one row per row of a new cluster
-- params:  $k
-- keeps:   no row is in two clusters
-- paper:   Domingo-Ferrer and Torra 2005, MDAV-generic
WITH first AS (
    SELECT part_id, class_id, unnest(nearest) & 2147483647 AS row_id
    FROM ppdt_ring
),

opposite AS (
    SELECT point.part_id, point.row_id{% for axis in axes %}, point.{{ axis.column | ident }}{% endfor %}

    FROM ppdt_point AS point
    INNER JOIN ppdt_ring AS ring ON ring.farthest_id = point.row_id
),

placed AS (
    SELECT
        point.part_id,
        opposite.row_id AS class_id,
        point.row_id + CASE WHEN point.row_id = opposite.row_id THEN 0 ELSE
            ({% with left = "point", right = "opposite" %}{% include "lib/fragments/gap.sql" %}{% endwith %} + 1) * 2147483648
        END AS place
    FROM ppdt_point AS point
    ANTI JOIN first ON first.row_id = point.row_id
    INNER JOIN opposite ON opposite.part_id = point.part_id
),

second AS (
    SELECT part_id, class_id, min(place, $k) AS nearest
    FROM placed
    GROUP BY part_id, class_id
)

SELECT part_id, class_id, row_id
FROM first
UNION ALL
SELECT part_id, class_id, unnest(nearest) & 2147483647 AS row_id
FROM second;
