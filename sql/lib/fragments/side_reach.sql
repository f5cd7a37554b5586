{#- lib/fragments/side_reach.sql: how far the slices of a side reach in every attribute; the window `side` says which
slices these are. Wants: attributes. -#}
{% for attribute in attributes %}
{% if attribute.kind == "ordered" %}
        max({{ attribute.hi }}) OVER side AS {{ attribute.hi }},
        min({{ attribute.finite }}) OVER side AS {{ attribute.finite }}{{ comma(loop) }}
{% elif attribute.has_hierarchy %}
        min({{ attribute.lo }}) OVER side AS {{ attribute.lo }},
        max({{ attribute.hi }}) OVER side AS {{ attribute.hi }}{{ comma(loop) }}
{% else %}
        bit_or({{ attribute.codes }}) OVER side AS {{ attribute.codes }}{{ comma(loop) }}
{% endif %}
{% endfor %}
