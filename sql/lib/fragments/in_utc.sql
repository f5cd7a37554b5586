{#- lib/fragments/in_utc.sql: a bound as text; instants in UTC, whatever the session's time zone. Wants: feature,
column. -#}
{%- if feature.family == "timestamptz" -%}
CAST(make_timestamp(epoch_us(source.{{ column | ident }})) AS VARCHAR), '+00'
{%- else -%}
CAST(source.{{ column | ident }} AS VARCHAR)
{%- endif -%}
