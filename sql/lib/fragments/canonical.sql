{#- lib/fragments/canonical.sql: a value's text with its length, NULL apart from ''; instants, and those inside of nested
values, do not depend on the session's time zone. Wants: text (quoted), type_name. -#}
{%- if type_name == "TIMESTAMP WITH TIME ZONE" -%}
coalesce(CASE WHEN isfinite({{ text }}) THEN concat('i:', epoch_us({{ text }}))
{#- #} ELSE concat('i:', CAST({{ text }} AS VARCHAR)) END, '-')
{%- elif "TIMESTAMP WITH TIME ZONE" in type_name -%}
coalesce(concat('n:', hex(create_sort_key({{ text }}, 'ASC NULLS LAST'))), '-')
{%- else -%}
coalesce(concat(length({% include "lib/fragments/text.sql" %}), ':', {% include "lib/fragments/text.sql" %}), '-')
{%- endif -%}
