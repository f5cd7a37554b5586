{#- form/span.sql: how far some rows reach in every attribute, as aggregates. Wants: attributes. -#}
{%- for attribute in attributes %}
{%- if attribute.kind == "ordered" %}
min({{ attribute.code | ident }}) AS {{ ("lo_%d" % attribute.position) | ident }},
    max({{ attribute.code | ident }}) AS {{ ("hi_%d" % attribute.position) | ident }}
{%- elif attribute.set_form == "list" %}
count(DISTINCT {{ attribute.code | ident }}) AS {{ ("n_values_%d" % attribute.position) | ident }}
{%- else %}
bit_count(bit_or(CAST(1 AS {% if attribute.set_form == "small" %}BIGINT{% else %}HUGEINT{% endif %}) << {{ attribute.code | ident }})) AS {{ ("n_values_%d" % attribute.position) | ident }}
{%- endif %}
{%- if not loop.last %},
    {% endif %}
{%- endfor -%}
