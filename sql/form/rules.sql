{#- form/rules.sql: a decision list as one CASE expression; what is missing meets no condition.
Wants: rules, label. -#}
{% if rules %}CASE
{% for rule in rules %}
    WHEN {% for part in rule.tests -%}
    {% if not loop.first %} AND {% endif -%}
    {% if part.as_text %}CAST({{ part.column | ident }} AS VARCHAR)
    {%- elif part.clock %}{{ part.clock }}({{ part.column | ident }})
    {%- else %}{{ part.column | ident }}{% endif %} {{ part.sign }} {{ part.value }}
    {%- endfor %} THEN {{ rule.label | literal }}
{% endfor %}
    ELSE {{ label | literal }}
END{% else %}{{ label | literal }}{% endif %}
