{#- lib/fragments/as_number.sql: a number, date, instant or time of day, given as text, on an axis that tells all
values apart; nothing where there is no such axis. Wants: text, axis. -#}
{%- if axis is none -%}
CAST(NULL AS DOUBLE)
{%- elif axis.kind == "number" -%}
TRY_CAST({{ text }} AS {{ axis.type_name }})
{%- elif axis.kind == "time" -%}
epoch_us(TRY_CAST({{ text }} AS TIME))
{%- elif axis.kind == "nanosecond" -%}
CASE WHEN isfinite(TRY_CAST({{ text }} AS TIMESTAMP_NS)) THEN epoch_ns(TRY_CAST({{ text }} AS TIMESTAMP_NS)) END
{%- else -%}
CASE WHEN isfinite(TRY_CAST({{ text }} AS TIMESTAMP)) THEN epoch_us(TRY_CAST({{ text }} AS TIMESTAMP)) END
{%- endif -%}
