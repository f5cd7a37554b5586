-- audit/class_value.sql: how often each value of one sensitive column occurs in each class.
--
-- in:      ppdt_class_row (class_id, s<i>)
-- out:     ppdt_class_value (class_id, value, n_rows)
--          one row per (class_id, value)
-- keeps:   NULL is a sensitive value like any other; where others are named, they count among the
--          quasi-identifiers
{% if others %}
WITH counted AS (
    SELECT
        class_id{% for other in others %},
        {{ other.group | ident }}{% if other.is_text %} COLLATE "binary"{% endif %} AS {{ other.group | ident }}{% endfor %},
        {{ sensitive.group | ident }}{% if sensitive.is_text %} COLLATE "binary"{% endif %} AS value,
        count(*) AS n_rows
    FROM ppdt_class_row
    GROUP BY ALL
)

SELECT
    dense_rank() OVER (
        ORDER BY class_id ASC{% for other in others %}, {{ other.group | ident }} ASC NULLS FIRST{% endfor %}

    ) AS class_id,
    value,
    n_rows
FROM counted;
{% else %}
SELECT
    class_id,
    {{ sensitive.group | ident }}{% if sensitive.is_text %} COLLATE "binary"{% endif %} AS value,
    count(*) AS n_rows
FROM ppdt_class_row
GROUP BY ALL;
{% endif %}
