{#- lib/fragments/in_order.sql: a column in an order that tells all of its values apart, also those that
compare as equal: text by its bytes, whatever the collation; 0.0 after -0.0; the rest by its text.
Wants: table, other. -#}
{{ table | ident }}.{{ other.name | ident }}{% if other.sort == "text" %} COLLATE "binary"{% endif %} ASC NULLS FIRST
{%- if other.sort == "float" %},
    signbit({{ table | ident }}.{{ other.name | ident }}) DESC
{%- elif other.sort == "other" %},
    CAST({{ table | ident }}.{{ other.name | ident }} AS VARCHAR) ASC NULLS FIRST
{%- endif -%}
