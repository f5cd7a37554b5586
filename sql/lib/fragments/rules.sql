{#- lib/fragments/rules.sql: a decision list as one CASE expression; what is missing meets no condition.
Wants: rules, label. -#}
{% if rules %}CASE
{% for rule in rules %}
    WHEN {% for part in rule.tests -%}
    {%+ if not loop.first %} AND {% endif -%}
    {%+ if part.as_text %}CAST({{ part.column | ident }} AS VARCHAR)
    {%- elif part.clock == "seconds" %}epoch({{ part.column | ident }})
    {%- elif part.clock == "microseconds" %}epoch_us({{ part.column | ident }})
    {%- elif part.clock == "nanoseconds" %}epoch_ns({{ part.column | ident }})
    {%- else %}{{ part.column | ident }}{% endif %} {{ part.sign }} {{ part.value }}
    {%- endfor %} THEN {{ rule.label | literal }}
{% endfor %}
    ELSE {{ label | literal }}
END{% else %}{{ label | literal }}{% endif %}
