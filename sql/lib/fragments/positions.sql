{#- lib/fragments/positions.sql: the joins that positions come from: one for all lists, and for each larger dictionary its
own. A join for each attribute took the engine longer to plan than attributes grow. Wants: attributes, table. -#}
{% set ordered = attributes | selectattr("kind", "equalto", "ordered") | list -%}
{% if ordered | selectattr("is_listed") | list -%}
CROSS JOIN ppdt_position AS "position"
{% endif -%}
{% for attribute in ordered | rejectattr("is_listed") -%}
LEFT JOIN {{ attribute.dictionary | ident }} AS {{ attribute.low }}
    ON {{ attribute.low }}.code = {{ table | ident }}.{{ attribute.finite }}
LEFT JOIN {{ attribute.dictionary | ident }} AS {{ attribute.high }}
    ON {{ attribute.high }}.code = {{ table | ident }}.{{ attribute.hi }}
{% endfor -%}
