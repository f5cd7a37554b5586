{#- lib/fragments/branch.sql: the branch of a cut that a row's code takes: 0 or 1 beside a threshold, the code
itself where every value has a branch, -1 for a missing value. Wants: table, attributes. -#}
CASE cut.attribute_id
{% for attribute in attributes %}
            WHEN {{ attribute.position | literal }} THEN CASE
                WHEN {{ table | ident }}.{{ attribute.code | ident }} < {{ attribute.n_special | literal }} THEN -1
{% if attribute.spread == "span" %}
                ELSE CAST({{ table | ident }}.{{ attribute.code | ident }} & {{ attribute.value_mask | literal }} > cut.at_code AS INTEGER) END
{% elif attribute.kind == "ordered" %}
                ELSE CAST({{ table | ident }}.{{ attribute.code | ident }} > cut.at_code AS INTEGER) END
{% else %}
                ELSE CAST({{ table | ident }}.{{ attribute.code | ident }} AS INTEGER) END
{% endif %}
{% endfor %}
        END
