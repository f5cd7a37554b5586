{#- lib/fragments/utc_text.sql: a value's text; instants, and lists of them, in UTC, whatever the session's time
zone. Wants: text (quoted), type_name. -#}
{%- if type_name == "TIMESTAMP WITH TIME ZONE" -%}
CASE WHEN isfinite({{ text }}) THEN concat(CAST(make_timestamp(epoch_us({{ text }})) AS VARCHAR), '+00')
{#- #} ELSE CAST({{ text }} AS VARCHAR) END
{%- elif type_name == "TIMESTAMP WITH TIME ZONE[]" -%}
CAST(list_transform({{ text }}, lambda instant : CASE WHEN isfinite(instant) THEN concat(CAST(make_timestamp(epoch_us(instant)) AS VARCHAR), '+00')
{#- #} ELSE CAST(instant AS VARCHAR) END) AS VARCHAR)
{%- else -%}
{% include "lib/fragments/text.sql" %}
{%- endif -%}
