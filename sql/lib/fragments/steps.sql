{#- lib/fragments/steps.sql: a value as an exact whole number of its attribute's smallest steps; numbers of too many
digits as multiples of 2^-60 of how far they reach, floats as
multiples of 2^-60 of the largest magnitude. Wants: attribute; where it is scaled, scale.magnitude. -#}
{%- if attribute.is_scaled and attribute.family != "float" -%}
CAST(round(coalesce(({% with low = ("scale", "least") | ident, high = "value" | ident, axis = {"is_float": False} %}{% include "lib/fragments/width.sql" %}{% endwith %}) / nullif(scale.magnitude, 0), 0) * 1152921504606846976) AS HUGEINT)
{%- elif attribute.is_scaled -%}
CAST(round(coalesce(CAST(value AS DOUBLE) / nullif(scale.magnitude, 0), 0) * 1152921504606846976) AS HUGEINT)
{%- elif attribute.family in ("integer", "huge", "decimal") and not attribute.decimals -%}
CAST(value AS HUGEINT)
{%- elif attribute.family in ("huge", "decimal") -%}
CAST(replace(CAST(value AS VARCHAR), '.', '') AS HUGEINT)
{%- elif attribute.family == "date" -%}
CAST(date_diff('day', DATE '1970-01-01', value) AS HUGEINT)
{%- else -%}
CAST(epoch_us(value) AS HUGEINT)
{%- endif -%}
