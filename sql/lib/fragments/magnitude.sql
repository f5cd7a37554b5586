{#- lib/fragments/magnitude.sql: the largest finite magnitude of an attribute's values, 0 where there is none. -#}
{%- if attribute.family == "float" -%}
coalesce(max(abs(CAST(value AS DOUBLE))) FILTER (WHERE isfinite(CAST(value AS DOUBLE))), 0)
{%- else -%}
coalesce(max(abs(CAST(value AS DOUBLE))), 0)
{%- endif -%}
