{#- lib/fragments/shown.sql: a value as a range's text shows it; instants in UTC, whatever the session's
time zone. Wants: attribute. -#}
{%- if attribute.family == "timestamptz" -%}
CASE WHEN isfinite(value) THEN concat(CAST(make_timestamp(epoch_us(value)) AS VARCHAR), '+00')
{#- #} ELSE CAST(value AS VARCHAR) END
{%- elif attribute.kind == "ordered" -%}
{% with text = "value" | ident, type_name = attribute.type_name %}{% include "lib/fragments/text.sql" %}{% endwith %}

{%- else -%}
CAST(NULL AS VARCHAR)
{%- endif -%}
