{#- form/on_axis.sql: a value of an ordered type as a number on one axis: dates and times in seconds,
instants in UTC. Wants: axis, family; reads `shown`. -#}
{%- if axis == "number" -%}
CAST(shown AS DOUBLE)
{%- elif axis == "time" -%}
epoch(shown)
{%- elif family == "timestamptz" -%}
CASE WHEN isfinite(shown) THEN epoch(make_timestamp(epoch_us(shown))) END
{%- else -%}
CASE WHEN isfinite(shown) THEN epoch(CAST(shown AS TIMESTAMP)) END
{%- endif -%}
