-- methods/tiers/tally.sql: what the centre of every small part follows from.
--
-- in:      ppdt_needy (part_id); ppdt_point (part_id, n_rows, v<i>)
-- out:     ppdt_tally (part_id, axis_id, code, n_rows, total)
--          one row per (part_id, axis_id, code); axis -1 counts the rows, so no part is without a centre
-- keeps:   every row of a cell counts; sums of whole numbers are exact
WITH small AS (
    SELECT
        point.part_id,
{% for axis in axes %}
        point.{{ axis.column | ident }},
{% endfor %}
        point.n_rows
    FROM ppdt_point AS point
    SEMI JOIN ppdt_needy AS needy ON needy.part_id = point.part_id
)

SELECT
    part_id,
    CAST(-1 AS INTEGER) AS axis_id,
    CAST(0 AS INTEGER) AS code,
    CAST(sum(n_rows) AS BIGINT) AS n_rows,
    CAST(0 AS HUGEINT) AS total
FROM small
GROUP BY part_id
{% for axis in axes %}
UNION ALL
{% if axis.is_number %}
SELECT
    part_id,
    {{ axis.position | literal }} AS axis_id,
    0 AS code,
    CAST(sum(CASE WHEN {{ axis.column | ident }} IS NULL THEN 0 ELSE n_rows END) AS BIGINT) AS n_rows,
    CAST(sum(CAST(coalesce({{ axis.column | ident }}, 0) AS HUGEINT) * n_rows) AS HUGEINT) AS total
FROM small
GROUP BY part_id
{% else %}
SELECT
    part_id,
    {{ axis.position | literal }} AS axis_id,
    {{ axis.column | ident }} AS code,
    CAST(sum(n_rows) AS BIGINT) AS n_rows,
    0 AS total
FROM small
GROUP BY part_id, {{ axis.column | ident }}
{% endif %}
{% endfor %};
