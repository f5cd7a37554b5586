{#- form/position.sql: the position of a code of an ordered attribute: out of its list, or of its dictionary
where that is too large for one. Wants: attribute, text (the quoted code), alias. -#}
{% if attribute.is_listed -%}
list_extract("position".{{ ("position_%d" % attribute.position) | ident }}, {{ text }} + 1)
{%- else -%}
{{ alias | ident }}.position
{%- endif -%}
