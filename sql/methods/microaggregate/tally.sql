-- methods/microaggregate/tally.sql: what the centre of every part follows from: rows, sums of numbers, counts of categories.
--
-- in:      ppdt_point (part_id, row_id, v<i>)
-- out:     ppdt_tally (part_id, axis_id, code, n_rows, total)
--          one row per (part_id, axis_id, code); axis -1 counts the rows
SELECT
    part_id,
    CAST(-1 AS INTEGER) AS axis_id,
    CAST(0 AS INTEGER) AS code,
    count(*) AS n_rows,
    CAST(0 AS HUGEINT) AS total
FROM ppdt_point
GROUP BY part_id
{% for axis in axes %}
UNION ALL
{% if axis.is_number %}
SELECT
    part_id,
    {{ axis.position | literal }} AS axis_id,
    0 AS code,
    count({{ axis.column | ident }}) AS n_rows,
    CAST(coalesce(sum(CAST({{ axis.column | ident }} AS BIGINT)), 0) AS HUGEINT) AS total
FROM ppdt_point
GROUP BY part_id
{% else %}
SELECT
    part_id,
    {{ axis.position | literal }} AS axis_id,
    {{ axis.column | ident }} AS code,
    count(*) AS n_rows,
    0 AS total
FROM ppdt_point
GROUP BY part_id, {{ axis.column | ident }}
{% endif %}
{% endfor %};
