{#- lib/fragments/codes.sql: the codes of all attributes, out of the words of a unit. Wants: attributes. -#}
{% for attribute in attributes %}

        (open.{{ attribute.word | ident }} >> {{ attribute.shift | literal }}) & {{ attribute.mask | literal }} AS {{ attribute.code | ident }}
{{- comma(loop) }}
{% endfor %}
