{#- form/off_axis.sql: a number on an axis as a value of its type. Wants: type_name, family; reads
`number`. -#}
{%- if family == "date" -%}
CAST(make_timestamp(CAST(round(number * 1e6) AS BIGINT)) AS DATE)
{%- elif family == "timestamp" -%}
make_timestamp(CAST(round(number * 1e6) AS BIGINT))
{%- elif family == "timestamptz" -%}
CAST(concat(CAST(make_timestamp(CAST(round(number * 1e6) AS BIGINT)) AS VARCHAR), '+00') AS TIMESTAMP WITH TIME ZONE)
{%- elif family == "time" -%}
CAST(make_timestamp(CAST(round(number * 1e6) AS BIGINT)) AS TIME)
{%- else -%}
CAST(number AS {{ type_name }})
{%- endif -%}
