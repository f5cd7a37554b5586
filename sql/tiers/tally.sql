-- tiers/tally.sql: what the centre of every small part follows from.
--
-- in:      ppdt_needy (part_id); ppdt_point (part_id, n_rows, v<i>)
-- out:     ppdt_tally (part_id, axis_id, code, n_rows, total)
--          one row per (part_id, axis_id, code); axis -1 counts the rows, so no part is without a centre
-- keeps:   every row of a cell counts; sums of whole numbers are exact
WITH entry AS (
    SELECT
        point.part_id,
        unnest([-1{% for axis in axes %}, {{ axis.position | literal }}{% endfor %}]) AS axis_id,
        unnest([0{% for axis in axes %}, {% if axis.is_number %}0{% else %}point.{{ axis.column | ident }}{% endif %}{% endfor %}]) AS code,
        unnest([point.n_rows{% for axis in axes %}, {% if axis.is_number %}CASE WHEN point.{{ axis.column | ident }} IS NULL THEN 0 ELSE point.n_rows END{% else %}point.n_rows{% endif %}{% endfor %}]) AS n_rows,
        unnest([CAST(0 AS HUGEINT){% for axis in axes %}, {% if axis.is_number %}CAST(coalesce(point.{{ axis.column | ident }}, 0) AS HUGEINT) * point.n_rows{% else %}CAST(0 AS HUGEINT){% endif %}{% endfor %}]) AS amount
    FROM ppdt_point AS point
    SEMI JOIN ppdt_needy AS needy ON needy.part_id = point.part_id
)

SELECT part_id, axis_id, code, CAST(sum(n_rows) AS BIGINT) AS n_rows, CAST(sum(amount) AS HUGEINT) AS total
FROM entry
GROUP BY part_id, axis_id, code;
