-- methods/mict/nearest.sql: the leaf whose centre is nearest to that of the pooled rows.
--
-- in:      ppdt_centre (part_id, v<i>)
-- out:     ppdt_nearest (leaf_id)
--          one row
-- keeps:   equally near: the leaf with the lowest number
SELECT min({% with left = "centre", right = "pooled" %}{% include "lib/fragments/gap.sql" %}{% endwith %} * 2147483648 + centre.part_id)
    & 2147483647 AS leaf_id
FROM ppdt_centre AS centre
INNER JOIN ppdt_centre AS pooled ON pooled.part_id = -1 AND centre.part_id >= 0;
