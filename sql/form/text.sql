{#- form/text.sql: a value's text. A float's type is named: engines differ in how they write floats, and
this tells them where to agree. Wants: text (quoted), type_name. -#}
{%- if type_name in ("FLOAT", "DOUBLE") -%}
CAST(CAST({{ text }} AS {% if type_name == "FLOAT" %}FLOAT{% else %}DOUBLE{% endif %}) AS VARCHAR)
{%- else -%}
CAST({{ text }} AS VARCHAR)
{%- endif -%}
