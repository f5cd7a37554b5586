{#- lib/fragments/case.sql: a tree as one CASE expression; a value that is missing, or that the tree has never
seen, gets the majority of the node where it stands. Wants: parts. -#}
{% for part in parts -%}
{{ part.indent }}
{%- if part.kind == "when" -%}
WHEN {% if part.is_set %}
{%- for one in part.sets %}{% with column = part.column, type_name = part.type_name %}{% include "lib/fragments/same_set.sql" %}{% endwith %}{% if not loop.last %} OR {% endif %}{% endfor %}
{%- if part.sets and part.takes_missing %} OR {% endif %}
{%- if part.takes_missing %}coalesce(list_count({{ part.column | ident }}), 0) = 0{% endif %}
{%- else %}
{%- if part.sign %}{{ part.column | ident }} {{ part.sign }} {{ part.value }}{% endif %}
{%- if part.sign and part.takes_missing %} OR {% endif %}
{%- if part.takes_missing %}{{ part.column | ident }} IS NULL{% endif %}
{%- endif %} THEN
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
