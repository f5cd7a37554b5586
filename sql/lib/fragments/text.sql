{#- lib/fragments/text.sql: a value's text. The type of a float, and of a decimal without digits before its point,
is named: engines differ in how they write these, and this tells them where to agree. Wants: text
(quoted), type_name. -#}
{%- set digits = type_name[8:-1].split(",") if type_name.startswith("DECIMAL(") else [] -%}
{%- if type_name in ("FLOAT", "DOUBLE") -%}
CAST(CAST({{ text }} AS {% if type_name == "FLOAT" %}FLOAT{% else %}DOUBLE{% endif %}) AS VARCHAR)
{%- elif digits | length == 2 and digits[0] == digits[1] -%}
CAST(CAST({{ text }} AS DECIMAL({{ digits[0] | int | literal }}, {{ digits[1] | int | literal }})) AS VARCHAR)
{%- else -%}
CAST({{ text }} AS VARCHAR)
{%- endif -%}
