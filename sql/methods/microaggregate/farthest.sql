-- methods/microaggregate/farthest.sql: in every part the row farthest from a point of reference.
--
-- in:      ppdt_point (part_id, row_id, v<i>); ppdt_centre (part_id, v<i>), or ppdt_seed of the same form
-- out:     ppdt_farthest (part_id, row_id, v<i>)
--          one row per part that has a point of reference and at least $least rows
-- params:  $least
-- keeps:   rows stand in the order of distance, then of key; farthest is the last one
WITH farthest AS (
    SELECT
        max({% with left = "point", right = "reference" %}{% include "lib/fragments/gap.sql" %}{% endwith %} * 2147483648 + point.row_id)
        & 2147483647 AS row_id
    FROM ppdt_point AS point
    INNER JOIN {{ reference | ident }} AS reference ON reference.part_id = point.part_id
    GROUP BY point.part_id
    HAVING count(*) >= $least
)

SELECT point.part_id, point.row_id{% for axis in axes %}, point.{{ axis.column | ident }}{% endfor %}

FROM ppdt_point AS point
INNER JOIN farthest ON farthest.row_id = point.row_id;
