{#- lib/fragments/comparable.sql: a column in the one form in which we compare its values: text by its bytes,
whatever collation the column has; 0.0 and -0.0 as one value, NaN as another, of the column's type. Wants: table, attribute. -#}
{%- if attribute.family == "text" -%}
{{ table | ident }}.{{ attribute.name | ident }} COLLATE "binary"
{%- elif attribute.family == "float" -%}
CASE WHEN {{ table | ident }}.{{ attribute.name | ident }} = 0 THEN CAST(0 AS {% if attribute.type_name == "FLOAT" %}FLOAT{% else %}DOUBLE{% endif %})
{#- #} WHEN isnan({{ table | ident }}.{{ attribute.name | ident }}) THEN CAST('nan' AS {% if attribute.type_name == "FLOAT" %}FLOAT{% else %}DOUBLE{% endif %})
{#- #} ELSE {{ table | ident }}.{{ attribute.name | ident }} END
{%- else -%}
{{ table | ident }}.{{ attribute.name | ident }}
{%- endif -%}
