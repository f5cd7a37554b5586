-- methods/microaggregate/joiner.sql: the row that each new cluster takes in besides: near to it, and far from the others.
--
-- in:      ppdt_point (part_id, row_id, v<i>); ppdt_taken (part_id, class_id, row_id);
--          ppdt_joiner (part_id) of the step before, after which only those that grew go on
-- out:     ppdt_joined (part_id, class_id, row_id)
--          one row per cluster that grows
-- params:  $gain
-- keeps:   nearer to a row of the cluster than $gain times its distance to the nearest row outside
-- paper:   Solanas and Martinez-Balleste 2006, V-MDAV
WITH inside AS (
    SELECT point.part_id, taken.class_id{% for axis in axes %}, point.{{ axis.column | ident }}{% endfor %}

    FROM ppdt_point AS point
{% if again %}
    SEMI JOIN ppdt_joiner AS joiner ON joiner.part_id = point.part_id
{% endif %}
    INNER JOIN ppdt_taken AS taken ON taken.row_id = point.row_id
),

outside AS (
    SELECT point.part_id, point.row_id{% for axis in axes %}, point.{{ axis.column | ident }}{% endfor %}

    FROM ppdt_point AS point
    ANTI JOIN ppdt_taken AS taken ON taken.row_id = point.row_id
),

nearest AS (
    SELECT outside.part_id, inside.class_id,
        min({% with left = "outside", right = "inside" %}{% include "lib/fragments/gap.sql" %}{% endwith %} * 2147483648 + outside.row_id) AS place
    FROM outside
    INNER JOIN inside ON inside.part_id = outside.part_id
    GROUP BY outside.part_id, inside.class_id
),

chosen AS (
    SELECT outside.part_id, outside.row_id, nearest.class_id, nearest.place >> 31 AS gap_inside
        {%- for axis in axes %}, outside.{{ axis.column | ident }}{% endfor %}

    FROM outside
    INNER JOIN nearest ON nearest.place & 2147483647 = outside.row_id
)

SELECT chosen.part_id, chosen.class_id, chosen.row_id
FROM chosen
INNER JOIN outside ON outside.part_id = chosen.part_id AND outside.row_id <> chosen.row_id
GROUP BY chosen.part_id, chosen.class_id, chosen.row_id, chosen.gap_inside
HAVING chosen.gap_inside
    < $gain * min({% with left = "chosen", right = "outside" %}{% include "lib/fragments/gap.sql" %}{% endwith %});
