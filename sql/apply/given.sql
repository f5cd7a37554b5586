-- apply/given.sql: the new rows, under the names that the release was made from.
--
-- in:      the source (the new rows)
-- out:     ppdt_given (the columns that the rules ask for)
--          one row per new row
SELECT
{% for column, own in pairs.items() %}
    source.{{ own | ident }} AS {{ column | ident }}{{ comma(loop) }}
{% endfor %}
FROM {{ source }} AS source;
