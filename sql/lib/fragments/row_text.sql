{#- lib/fragments/row_text.sql: the canonical texts of some columns of a row, with | between them. Texts are told their
lengths in a list: what stands twice in a statement for each column takes the engine longer than columns grow.
Wants: table, columns (types by name). -#}
{%- set instant = "TIMESTAMP WITH TIME ZONE" -%}
{%- set state = namespace(is_open=false) -%}
concat_ws('|'
{%- for column, type_name in columns.items() -%}
{%- set text = (table, column) | ident -%}
{%- if instant in type_name -%}
{%- if state.is_open %}
], lambda told : concat(length(told), ':', told)), '|'){% endif %},
            {%+ include "lib/fragments/canonical.sql" %}
{%- set state.is_open = false -%}
{%- else -%}
{%- if state.is_open %},{% else %},
            array_to_string(list_transform([{% endif %}

            {%+ include "lib/fragments/text.sql" %}
{%- set state.is_open = true -%}
{%- endif -%}
{%- endfor -%}
{%- if state.is_open %}
], lambda told : concat(length(told), ':', told)), '|'){% endif %}
)
{#- -#}
