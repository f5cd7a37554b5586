{#- form/unit.sql: a value as an exact whole number of its attribute's smallest steps; floats as
multiples of 2^-60 of the largest magnitude. Wants: attribute; where it is scaled, scale.magnitude. -#}
{%- if attribute.is_scaled -%}
CAST(round(coalesce(CAST(value AS DOUBLE) / nullif(scale.magnitude, 0), 0) * 1152921504606846976) AS HUGEINT)
{%- elif attribute.family == "integer" -%}
CAST(value AS HUGEINT)
{%- elif attribute.family == "decimal" -%}
CAST(replace(CAST(value AS VARCHAR), '.', '') AS HUGEINT)
{%- elif attribute.family == "date" -%}
CAST(date_diff('day', DATE '1970-01-01', value) AS HUGEINT)
{%- else -%}
CAST(epoch_us(value) AS HUGEINT)
{%- endif -%}
