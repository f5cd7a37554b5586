{#- lib/fragments/packed_word.sql: the codes of several attributes in one integer, each in bits of its own. Wants: word. -#}
{% for attribute in word.attributes %}
{% if not loop.first %} | {% endif -%}
(CAST({{ attribute.dictionary_alias | ident }}.code AS {{ word.type }}) << {{ attribute.shift | literal }})
{%- endfor %}
{#- -#}
