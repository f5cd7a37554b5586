{#- form/group.sql: the columns that an outsider may know, as a class has them in common; text is
told apart by its bytes. Wants: quasi (name, is_text, group). -#}
{%- for column in quasi -%}
release.{{ column.name | ident }}{% if column.is_text %} COLLATE "binary"{% endif %} AS {{ column.group | ident }}
{%- if not loop.last %},
    {% endif -%}
{%- endfor -%}
