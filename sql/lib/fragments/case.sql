{#- lib/fragments/case.sql: a tree as one CASE expression; a value that is missing, or that the tree has never
seen, gets the majority of the node where it stands. Wants: parts. -#}
{% for part in parts -%}
{{ part.indent }}
{%- if part.kind == "when" -%}
WHEN {{ part.column | ident }}{% if part.test == "missing" %} IS NULL{% else %} {{ part.sign }} {{ part.value }}{% endif %} THEN
{%- elif part.kind == "case" -%}
CASE
{%- elif part.kind == "else" -%}
ELSE {{ part.label | literal }} END
{%- else -%}
{{ part.label | literal }}
{%- endif %}
{% if not loop.last %}

{% endif %}
{%- endfor %}
