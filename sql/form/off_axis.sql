{#- form/off_axis.sql: a number on the axis of a type as a value of the type. Wants: axis, type_name, family;
reads `number`. -#}
{%- if axis.kind == "nanosecond" -%}
make_timestamp_ns(number)
{%- elif family == "date" -%}
CAST(make_timestamp(number) AS DATE)
{%- elif family == "timestamp" -%}
make_timestamp(number)
{%- elif family == "timestamptz" -%}
CAST(concat(CAST(make_timestamp(number) AS VARCHAR), '+00') AS TIMESTAMP WITH TIME ZONE)
{%- elif family == "time" -%}
CAST(make_timestamp(number) AS TIME)
{%- else -%}
CAST(number AS {{ type_name }})
{%- endif -%}
