-- tools/bench/numbered.sql: the rows of a table under numbers, by which they are found again.
--
-- in:      the source
-- out:     ppdt_numbered (the columns that are asked for; the number)
--          one row per row of the source
-- keeps:   rows that are equal in all columns have any of their numbers
SELECT
{% for column in columns %}
    source.{{ column | ident }},
{% endfor %}
    row_number() OVER (ORDER BY {% for column in columns %}source.{{ column | ident }} ASC{{ comma(loop) }}{% endfor %}) AS {{ number | ident }}
FROM {{ source }} AS source;
