{#- form/canonical.sql: a value's text with its length, NULL apart from ''; instants do not depend on
the session's time zone. Wants: text (quoted), type_name. -#}
{%- if type_name == "TIMESTAMP WITH TIME ZONE" -%}
coalesce(CASE WHEN isfinite({{ text }}) THEN concat('i:', epoch_us({{ text }}))
{#- #} ELSE concat('i:', CAST({{ text }} AS VARCHAR)) END, '-')
{%- else -%}
coalesce(concat(length({% include "form/text.sql" %}), ':', {% include "form/text.sql" %}), '-')
{%- endif -%}
