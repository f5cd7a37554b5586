{#- lib/fragments/csv_set.sql: a list as JSON. What JSON has no number for (NaN, infinities), or a reader of JSON would
round (decimals of more than 15 digits), stands in quotes. Wants: text, column. -#}
concat('[', array_to_string(list_transform({{ text }}, lambda item : coalesce({% with text = "item" | ident, type_name = column.of %}
{%- if column.of_number == "exact" -%}
{% if "DECIMAL" in type_name %}regexp_replace(CAST({{ text }} AS VARCHAR), '^(-?)\.', '\10.'){% else %}CAST({{ text }} AS VARCHAR){% endif %}
{%- elif column.of_number == "float" -%}
CASE WHEN {{ text }} IS NULL THEN NULL WHEN isfinite({{ text }}) THEN CAST({{ text }} AS VARCHAR) ELSE concat('"', CAST({{ text }} AS VARCHAR), '"') END
{%- else -%}
CAST(to_json(CAST({% include "lib/fragments/csv_text.sql" %} AS VARCHAR)) AS VARCHAR)
{%- endif -%}
{% endwith %}, 'null')), ','), ']')
