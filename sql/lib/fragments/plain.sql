{#- lib/fragments/plain.sql: a text without the collation that it was compared under, which would become a part of the
released column's type; everything else as it is. Wants: text (quoted), is_text. -#}
{%- if is_text -%}
decode(encode({{ text }}))
{%- else -%}
{{ text }}
{%- endif -%}
