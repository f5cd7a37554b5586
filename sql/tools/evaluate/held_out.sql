-- tools/evaluate/held_out.sql: the rows of a table to test on, under the names of the table learnt from.
--
-- in:      the source (the table to test on)
-- out:     ppdt_held_out (the columns that are asked for)
--          one row per row of the source that has a class
SELECT
{% for column, own in pairs.items() %}
    source.{{ own | ident }} AS {{ column | ident }}{{ comma(loop) }}
{% endfor %}
FROM {{ source }} AS source
WHERE source.{{ pairs[target] | ident }} IS NOT NULL;
