{#- form/group.sql: the columns that an outsider may know, as a class has them in common; text is
told apart by its bytes. Wants: quasi (name, is_text). -#}
{%- for column in quasi -%}
release.{{ column.name | ident }}{% if column.is_text %} COLLATE "binary"{% endif %} AS {{ ("g%d" % loop.index0) | ident }}
{%- if not loop.last %},
    {% endif -%}
{%- endfor -%}
