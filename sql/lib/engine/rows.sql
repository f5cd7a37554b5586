-- lib/engine/rows.sql: lists of Python, one for each column, as rows.
SELECT
{% for column in columns %}
    unnest(CAST({{ ("$" ~ column.name) | parameter }} AS {{ column.type }}[])) AS {{ column.name | ident }}{{ comma(loop) }}
{% endfor %};
