-- tools/profile/set.sql: how many rows a set of columns tells apart from all others.
--
-- in:      the source
-- out:     ppdt_set (n_classes, n_unique, n_smallest)
--          one row
-- keeps:   NULL is a value; text is told apart by its bytes
WITH class AS (
    SELECT
{% for column in columns %}
        source.{{ column.name | ident }}{% if column.is_text %} COLLATE "binary"{% endif %} AS {{ ("v%d" % loop.index0) | ident }},
{% endfor %}
        count(*) AS n_rows
    FROM {{ source }} AS source
    GROUP BY ALL
)

SELECT
    count(*) AS n_classes,
    count(*) FILTER (WHERE n_rows = 1) AS n_unique,
    coalesce(min(n_rows), 0) AS n_smallest
FROM class;
