{#- form/of_csv.sql: a text of a CSV file in the type of its column. An empty text is text, and no value of
any other type; in files of ours, such as hierarchies, it is no value either. Wants: column. -#}
{%- if column.type_name == "VARCHAR" and not column.is_empty_null -%}
written.{{ column.name | ident }}
{%- elif column.type_name == "VARCHAR" -%}
nullif(written.{{ column.name | ident }}, '')
{%- elif column.is_set -%}
CAST(from_json(nullif(written.{{ column.name | ident }}, ''), '["VARCHAR"]') AS {{ column.spelled }})
{%- else -%}
CAST(nullif(written.{{ column.name | ident }}, '') AS {{ column.spelled }})
{%- endif -%}
