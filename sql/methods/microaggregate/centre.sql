-- methods/microaggregate/centre.sql: the centre of every part that holds rows: means, and most frequent categories.
--
-- in:      ppdt_tally (part_id, axis_id, code, n_rows, total)
-- out:     ppdt_centre (part_id, v<i>)
--          one row per part that holds rows
-- keeps:   missing values have no say beside others; equally frequent: the category that comes first
WITH counted AS (
    SELECT part_id, axis_id, code, sum(n_rows) AS n_rows, sum(total) AS total
    FROM ppdt_tally
    GROUP BY part_id, axis_id, code
),

ranked AS (
    SELECT part_id, axis_id, code, n_rows, total,
        row_number() OVER (
            PARTITION BY part_id, axis_id
            ORDER BY CASE WHEN code < 0 THEN 1 ELSE 0 END ASC, n_rows DESC, code ASC
        ) AS place
    FROM counted
    WHERE n_rows > 0
)

SELECT
    part_id,
{% for axis in axes %}
{% if axis.is_number %}
    max(CASE WHEN axis_id = {{ axis.position | literal }} THEN CAST(total AS DOUBLE) / CAST(n_rows AS DOUBLE) END) AS {{ axis.column | ident }}{{ comma(loop) }}
{% else %}
    max(CASE WHEN axis_id = {{ axis.position | literal }} THEN code END) AS {{ axis.column | ident }}{{ comma(loop) }}
{% endif %}
{% endfor %}
FROM ranked
WHERE place = 1
GROUP BY part_id;
