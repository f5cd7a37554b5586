{#- lib/fragments/words.sql: the codes of a cell, packed into words. Wants: carried. -#}
{% for word in carried %},
{%- for attribute in word.attributes %}

    {%+ if not loop.first %}| {% endif %}(CAST(cell.{{ attribute.code | ident }} AS {{ word.type }}) << {{ attribute.shift | literal }})
{%- endfor %}

    AS {{ word.name | ident }}
{%- endfor %}
