{#- form/utc_text.sql: a value's text; instants in UTC, whatever the session's time zone. Wants: text
(quoted), type_name. -#}
{%- if type_name == "TIMESTAMP WITH TIME ZONE" -%}
CASE WHEN isfinite({{ text }}) THEN concat(CAST(make_timestamp(epoch_us({{ text }})) AS VARCHAR), '+00')
{#- #} ELSE CAST({{ text }} AS VARCHAR) END
{%- else -%}
{% include "form/text.sql" %}
{%- endif -%}
