{#- lib/fragments/typed_csv.sql: CSV files as a relation, each column in its type. An empty text is text, and no value
of any other type; in files of ours, such as hierarchies, it is no value either. Wants: source, columns, folders. -#}
(SELECT {% for column in columns %}
{%- if column.type_name == "VARCHAR" and not column.is_empty_null -%}
    written.{{ column.name | ident }}
{%- elif column.type_name == "VARCHAR" -%}
    nullif(written.{{ column.name | ident }}, '')
{%- elif column.is_set -%}
    CAST(from_json(nullif(written.{{ column.name | ident }}, ''), '["VARCHAR"]') AS {{ column.type_sql }})
{%- else -%}
    CAST(nullif(written.{{ column.name | ident }}, '') AS {{ column.type_sql }})
{%- endif %} AS {{ column.name | ident }}{{ comma(loop) }}
{%- endfor %}
{%- for name in folders %}, written.{{ name | ident }}{% endfor %} FROM {{ source }} AS written)
