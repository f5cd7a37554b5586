{#- lib/fragments/whole.sql: a number on an axis that is no float's as a whole number of its smallest steps: order and
distances are the same, unsigned integers of 128 bits start at the lowest signed one. Wants: number
(quoted), type_name. -#}
{%- if type_name == "UHUGEINT" -%}
CASE WHEN {{ number }} > 170141183460469231731687303715884105727
            THEN CAST({{ number }} - 170141183460469231731687303715884105728 AS HUGEINT)
            ELSE CAST({{ number }} AS HUGEINT) - 170141183460469231731687303715884105727 - 1 END
{%- elif type_name.startswith("DECIMAL") -%}
CAST(replace(CAST({{ number }} AS VARCHAR), '.', '') AS HUGEINT)
{%- else -%}
CAST({{ number }} AS HUGEINT)
{%- endif -%}
