{#- lib/fragments/group.sql: the columns that an attacker may know, as a class has them in common; text is
told apart by its bytes, and what compares as equal without being so (0.0 and -0.0, a month and 30
days) by how it reads, too. Wants: quasi (name, is_text, by_text, group). -#}
{%- for column in quasi -%}
release.{{ column.name | ident }}{% if column.is_text %} COLLATE "binary"{% endif %} AS {{ column.group | ident }}
{%- if column.by_text %},
        CAST(release.{{ column.name | ident }} AS VARCHAR) AS {{ (column.group ~ "_text") | ident }}
{%- endif %}
{%- if not loop.last %},
        {%+ endif -%}
{%- endfor -%}
