-- methods/tiers/near.sql: the cells of its pool that lie nearest to the centre of every small part.
--
-- in:      ppdt_needy (part_id, pool_id); ppdt_centre (part_id, v<i>); ppdt_above (node_id, above_id);
--          ppdt_point (part_id, first_row, v<i>); ppdt_crowded (pool_id, last_row)
-- out:     ppdt_near (part_id, nearest)
--          one row per small part
-- params:  $k
-- keeps:   a number holds a cell's distance and, behind it, the key of its first row. The rows that are
--          nearest, by distance and then by key, lie in the $k - 1 cells that come first in this order:
--          a cell before a row's own has a row before that row. In crowded pools a draw of the cells is seen
WITH asked AS (
    SELECT needy.part_id, needy.pool_id, crowded.last_row{% for axis in axes %}, centre.{{ axis.column | ident }}{% endfor %}

    FROM ppdt_needy AS needy
    INNER JOIN ppdt_centre AS centre ON centre.part_id = needy.part_id
    LEFT JOIN ppdt_crowded AS crowded ON crowded.pool_id = needy.pool_id
),

placed AS (
    SELECT
        asked.part_id,
        {%+ with left = "point", right = "asked" %}{% include "lib/fragments/gap.sql" %}{% endwith %} * 2147483648 + point.first_row AS place
    FROM asked
    INNER JOIN ppdt_above AS above ON above.above_id = asked.pool_id AND above.node_id <> asked.part_id
    INNER JOIN ppdt_point AS point ON point.part_id = above.node_id
    WHERE asked.last_row IS NULL OR point.first_row <= asked.last_row
)

SELECT part_id, min(place, $k - 1) AS nearest
FROM placed
GROUP BY part_id;
