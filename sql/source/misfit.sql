-- source/misfit.sql: count the values that do not have the type that was given for their column.
--
-- in:      the file, as text
-- out:     ppdt_misfit (for each column the number of values)
--          one row
SELECT{% for column in columns %}

    count(*) FILTER (WHERE nullif(written.{{ column.name | ident }}, '') IS NOT NULL AND
{%- if column.is_set %}
 CASE WHEN json_valid(written.{{ column.name | ident }}) THEN TRY_CAST(CAST(written.{{ column.name | ident }} AS JSON) AS {{ column.type_sql }}) IS NULL ELSE TRUE END
{%- else %}
 TRY_CAST(written.{{ column.name | ident }} AS {{ column.type_sql }}) IS NULL
{%- endif %}
) AS {{ column.alias | ident }}{{ comma(loop) }}
{%- endfor %}

FROM {{ source }} AS written;
