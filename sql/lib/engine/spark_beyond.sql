-- lib/engine/spark_beyond.sql: count the days and times outside the years 1 to 9999, or infinite.
--
-- in:      the source
-- out:     ppdt_beyond (n_values_<j>)
--          one row
SELECT
{% for column in columns %}
    count(*) FILTER (
        WHERE CAST(source.{{ column | ident }} AS DATE) NOT BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'
    ) AS {{ nth("n_values", loop) }}{{ comma(loop) }}
{% endfor %}
FROM {{ source }} AS source;
