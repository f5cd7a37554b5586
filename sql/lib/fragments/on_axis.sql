{#- lib/fragments/on_axis.sql: a value of an ordered type as a number on the axis of its type: dates and times in
microseconds, instants in UTC. Wants: axis, family; reads `shown`. -#}
{%- if axis.kind == "number" -%}
CAST(shown AS {{ axis.type_name }})
{%- elif axis.kind == "time" -%}
epoch_us(shown)
{%- elif axis.kind == "nanosecond" -%}
CASE WHEN isfinite(shown) THEN epoch_ns(shown) END
{%- elif family == "timestamptz" -%}
CASE WHEN isfinite(shown) THEN epoch_us(shown) END
{%- else -%}
CASE WHEN isfinite(shown) THEN epoch_us(CAST(shown AS TIMESTAMP)) END
{%- endif -%}
