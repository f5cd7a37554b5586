-- micro/tally.sql: what the centre of every part follows from: rows, sums of numbers, counts of categories.
--
-- in:      ppdt_point (part_id, row_id, v<i>)
-- out:     ppdt_tally (part_id, axis_id, code, n_rows, total)
--          one row per (part_id, axis_id, code); axis -1 counts the rows
WITH entry AS (
    SELECT
        part_id,
        unnest([-1{% for axis in axes %}, {{ axis.position | literal }}{% endfor %}]) AS axis_id,
        unnest([0{% for axis in axes %}, {% if axis.is_number %}0{% else %}{{ axis.column | ident }}{% endif %}{% endfor %}]) AS code,
        unnest([1{% for axis in axes %}, {% if axis.is_number %}CASE WHEN {{ axis.column | ident }} IS NULL THEN 0 ELSE 1 END{% else %}1{% endif %}{% endfor %}]) AS n_rows,
        unnest([0{% for axis in axes %}, {% if axis.is_number %}CAST(coalesce({{ axis.column | ident }}, 0) AS BIGINT){% else %}0{% endif %}{% endfor %}]) AS amount
    FROM ppdt_point
)

SELECT part_id, axis_id, code, CAST(sum(n_rows) AS BIGINT) AS n_rows, CAST(sum(amount) AS HUGEINT) AS total
FROM entry
GROUP BY part_id, axis_id, code;
