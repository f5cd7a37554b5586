{#- lib/fragments/complete.sql: whether no value of a unit is missing. Wants: attributes. -#}
{% for attribute in attributes if attribute.n_special -%}
unit.{{ attribute.code | ident }} >= {{ attribute.n_special | literal }} AND {# #}
{%- endfor -%}
TRUE
