{#- lib/fragments/span.sql: how far some rows reach in every attribute, as aggregates; `finite` is the lowest code above
those of NULL, NaN and the infinities. Values are counted as the bits of a set; shifting down needs no test for an
overflow, which takes most of the time of shifting up. Wants: attributes. -#}
{% set first_bit = 2 ** 61 %}
{% for attribute in attributes %}
{% if attribute.kind == "ordered" or attribute.has_hierarchy %}
    min({{ attribute.code | ident }}) AS {{ attribute.lo }},
    max({{ attribute.code | ident }}) AS {{ attribute.hi }},
{% endif %}
{% if attribute.kind == "ordered" and attribute.n_special == 0 %}
    min({{ attribute.code | ident }}) AS {{ attribute.finite }}{{ comma(loop) }}
{% elif attribute.kind == "ordered" %}
    min({{ attribute.code | ident }}) FILTER (WHERE {{ attribute.code | ident }} >= {{ attribute.n_special | literal }}) AS {{ attribute.finite }}{{ comma(loop) }}
{% elif attribute.set_form == "small" %}
    bit_count(bit_or(CAST({{ first_bit | literal }} AS BIGINT) >> {{ attribute.code | ident }})) AS {{ attribute.n_values }}{{ comma(loop) }}
{% elif attribute.set_form == "wide" %}
    bit_count(bit_or(CAST(1 AS HUGEINT) << {{ attribute.code | ident }})) AS {{ attribute.n_values }}{{ comma(loop) }}
{% else %}
    count(DISTINCT {{ attribute.code | ident }}) AS {{ attribute.n_values }}{{ comma(loop) }}
{% endif %}
{% endfor %}
