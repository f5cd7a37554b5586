-- methods/microaggregate/left.sql: the points that no cluster has taken, written anew without the gaps.
--
-- in:      ppdt_point (part_id, row_id, v<i>)
-- out:     ppdt_left (part_id, row_id, v<i>)
--          one row per row that is left
SELECT part_id, row_id{% for axis in axes %}, {{ axis.column | ident }}{% endfor %}

FROM ppdt_point;
