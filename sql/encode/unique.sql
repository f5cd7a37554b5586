-- encode/unique.sql: how many different values each of some columns has, for a message to the user.
--
-- in:      the source
-- out:     ppdt_unique (n_rows, n_values_<j>)
--          one row
SELECT
    count(*) AS n_rows,
{% for column in columns %}
    count(DISTINCT source.{{ column | ident }}) AS {{ nth("n_values", loop) }}
    {{- comma(loop) }}
{% endfor %}
FROM {{ source }} AS source;
