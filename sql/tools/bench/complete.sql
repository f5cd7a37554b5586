-- tools/bench/complete.sql: the rows of a table that miss no value.
--
-- in:      the source
-- out:     ppdt_complete (the columns that are asked for)
--          one row per row of the source without NULL
SELECT
{% for column in columns %}
    source.{{ column | ident }}{{ comma(loop) }}
{% endfor %}
FROM {{ source }} AS source
WHERE {% for column in columns %}source.{{ column | ident }} IS NOT NULL{% if not loop.last %} AND {% endif %}{% endfor %};
