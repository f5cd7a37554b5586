-- methods/microaggregate/ring.sql: the k rows nearest to every seed, itself first, and the row farthest from it.
--
-- in:      ppdt_point (part_id, row_id, v<i>); ppdt_seed (part_id, row_id, v<i>)
-- out:     ppdt_ring (part_id, class_id, nearest, farthest_id)
--          one row per seed
-- params:  $k
-- keeps:   rows stand in the order of distance, then of key; a list holds both in one number
WITH placed AS (
    SELECT
        point.part_id,
        seed.row_id AS class_id,
        point.row_id + CASE WHEN point.row_id = seed.row_id THEN 0 ELSE
            ({% with left = "point", right = "seed" %}{% include "lib/fragments/gap.sql" %}{% endwith %} + 1) * 2147483648
        END AS place
    FROM ppdt_point AS point
    INNER JOIN ppdt_seed AS seed ON seed.part_id = point.part_id
)

SELECT
    part_id,
    class_id,
    min(place, $k) AS nearest,
    max(place) & 2147483647 AS farthest_id
FROM placed
GROUP BY part_id, class_id;
