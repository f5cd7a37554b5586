{#- form/csv_text.sql: a value as a CSV file holds it; instants in UTC. Wants: value, type_name. -#}
{%- if type_name == "TIMESTAMP WITH TIME ZONE" -%}
CASE WHEN isfinite({{ value }}) THEN concat(CAST(make_timestamp(epoch_us({{ value }})) AS VARCHAR), '+00') ELSE CAST({{ value }} AS VARCHAR) END
{%- else -%}
{{ value }}
{%- endif -%}
