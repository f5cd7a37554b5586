-- tools/bench/shown_class.sql: the classes of a release, by what they show.
--
-- in:      a release
-- out:     ppdt_shown_class (class_id, n_rows, the features)
--          one row per class
WITH class AS (
    SELECT
{% for column in columns %}
        released.{{ column | ident }},
{% endfor %}
        count(*) AS n_rows
    FROM {{ source }} AS released
    GROUP BY ALL
)

SELECT
    row_number() OVER (ORDER BY {% for column in columns %}{{ column | ident }} ASC NULLS FIRST{{ comma(loop) }}{% endfor %}) AS class_id,
    n_rows,
{% for column in columns %}
    {{ column | ident }}{{ comma(loop) }}
{% endfor %}
FROM class;
