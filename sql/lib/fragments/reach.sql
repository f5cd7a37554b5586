{#- lib/fragments/reach.sql: how far an ordered attribute's finite values reach, as a share of the table's: the positions
of both ends, out of a list, or of the dictionary where that is too large for one; `positions` joins them. Wants:
attribute, table. -#}
{% if attribute.is_listed -%}
list_extract("position".{{ attribute.positions }}, {{ table | ident }}.{{ attribute.hi }} + 1)
            - list_extract("position".{{ attribute.positions }}, {{ table | ident }}.{{ attribute.finite }} + 1)
{%- else -%}
{{ attribute.high }}.position - {{ attribute.low }}.position
{%- endif -%}
