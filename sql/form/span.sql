{#- form/span.sql: how far some rows reach in every attribute, as aggregates; `finite` is the
lowest code above those of NULL, NaN and the infinities. Values are counted as the bits of a set; shifting
down needs no test for an overflow, which takes most of the time of shifting up. Wants: attributes. -#}
{%- set first_bit = 2 ** 61 -%}
{%- for attribute in attributes %}
{%- if attribute.kind == "ordered" %}
min({{ attribute.code | ident }}) AS {{ ("lo_%d" % attribute.position) | ident }},
    max({{ attribute.code | ident }}) AS {{ ("hi_%d" % attribute.position) | ident }},
    min({{ attribute.code | ident }})
{%- if attribute.n_special > 0 %} FILTER (WHERE {{ attribute.code | ident }} >= {{ attribute.n_special | literal }}){% endif %} AS {{ ("finite_%d" % attribute.position) | ident }}
{%- else %}
{%- if attribute.has_hierarchy %}
min({{ attribute.code | ident }}) AS {{ ("lo_%d" % attribute.position) | ident }},
    max({{ attribute.code | ident }}) AS {{ ("hi_%d" % attribute.position) | ident }},
    {% endif %}
{%- if attribute.set_form == "list" %}
count(DISTINCT {{ attribute.code | ident }}) AS {{ ("n_values_%d" % attribute.position) | ident }}
{%- else %}
bit_count(bit_or({% if attribute.set_form == "small" %}CAST({{ first_bit | literal }} AS BIGINT) >> {% else %}CAST(1 AS HUGEINT) << {% endif %}{{ attribute.code | ident }})) AS {{ ("n_values_%d" % attribute.position) | ident }}
{%- endif %}
{%- endif %}
{%- if not loop.last %},
    {% endif %}
{%- endfor -%}
