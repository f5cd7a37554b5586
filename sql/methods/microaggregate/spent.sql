-- methods/microaggregate/spent.sql: what the rows of the new clusters take away from the tally of their parts.
--
-- in:      ppdt_point (part_id, row_id, v<i>); ppdt_taken (row_id)
-- out:     ppdt_spent (part_id, axis_id, code, n_rows, total)
--          one row per row that was taken and axis
SELECT
    point.part_id,
    unnest([-1{% for axis in axes %}, {{ axis.position | literal }}{% endfor %}]) AS axis_id,
    unnest([0{% for axis in axes %}, {% if axis.is_number %}0{% else %}point.{{ axis.column | ident }}{% endif %}{% endfor %}]) AS code,
    unnest([-1{% for axis in axes %}, {% if axis.is_number %}CASE WHEN point.{{ axis.column | ident }} IS NULL THEN 0 ELSE -1 END{% else %}-1{% endif %}{% endfor %}]) AS n_rows,
    unnest([0{% for axis in axes %}, {% if axis.is_number %}-CAST(coalesce(point.{{ axis.column | ident }}, 0) AS BIGINT){% else %}0{% endif %}{% endfor %}]) AS total
FROM ppdt_point AS point
SEMI JOIN ppdt_taken AS taken ON taken.row_id = point.row_id;
