{#- form/rules.sql: a decision list as one CASE expression; what is missing meets no condition.
Wants: rules, label. -#}
{% if rules %}CASE
{% for rule in rules %}
    WHEN {% for test in rule.tests -%}
    {% if not loop.first %} AND {% endif -%}
    {% if test.as_text %}CAST({{ test.column | ident }} AS VARCHAR)
    {%- elif test.as_seconds %}epoch({{ test.column | ident }})
    {%- else %}{{ test.column | ident }}{% endif %} {{ test.sign }} {{ test.value | literal }}
    {%- endfor %} THEN {{ rule.label | literal }}
{% endfor %}
    ELSE {{ label | literal }}
END{% else %}{{ label | literal }}{% endif %}
