{#- lib/fragments/whole_step.sql: a number as a whole number of its type's smallest steps, of as many digits as it has.
Wants: attribute. -#}
{%- if attribute.type_name == "UHUGEINT" -%}
value
{%- else -%}
CAST(replace(CAST(value AS VARCHAR), '.', '') AS HUGEINT)
{%- endif -%}
