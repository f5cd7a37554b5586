{#- lib/fragments/code.sql: the code of the attribute that is looked at, out of the words of a unit; `field` says
where it lies. Wants: words. -#}
{% if words | length == 1 %}(open.{{ words[0].name | ident }} >> field.shift) & field.mask
{%- else %}(CASE field.word
{%- for word in words %} WHEN {{ loop.index0 | literal }} THEN open.{{ word.name | ident }}{% endfor %} END >> field.shift) & field.mask
{%- endif %}
