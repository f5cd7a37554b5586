{#- lib/fragments/csv_text.sql: a value as a CSV file holds it; instants in UTC. Wants: text, type_name. -#}
{%- if type_name == "TIMESTAMP WITH TIME ZONE" -%}
CASE WHEN isfinite({{ text }}) THEN concat(CAST(make_timestamp(epoch_us({{ text }})) AS VARCHAR), '+00') ELSE CAST({{ text }} AS VARCHAR) END
{%- else -%}
{{ text }}
{%- endif -%}
