{#- form/csv_set.sql: a list as JSON. What JSON has no number for (NaN, infinities), or a reader of JSON would
round (decimals of more than 15 digits), stands in quotes. Wants: value, column. -#}
concat('[', array_to_string(list_transform({{ value }}, lambda item : coalesce({% with value = "item" | ident, type_name = column.of %}
{%- if column.of_number == "exact" -%}
CAST({{ value }} AS VARCHAR)
{%- elif column.of_number == "float" -%}
CASE WHEN isfinite({{ value }}) THEN CAST({{ value }} AS VARCHAR) ELSE concat('"', CAST({{ value }} AS VARCHAR), '"') END
{%- else -%}
CAST(to_json(CAST({% include "form/csv_text.sql" %} AS VARCHAR)) AS VARCHAR)
{%- endif -%}
{% endwith %}, 'null')), ','), ']')
