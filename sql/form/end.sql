{#- form/end.sql: the text of a value or of an end of a range, as a number on one axis: dates and times
in seconds, instants in UTC. Wants: text, axis. -#}
{%- if axis == "number" -%}
TRY_CAST({{ text }} AS DOUBLE)
{%- elif axis == "time" -%}
epoch(TRY_CAST({{ text }} AS TIME))
{%- else -%}
CASE WHEN isfinite(TRY_CAST({{ text }} AS TIMESTAMP)) THEN epoch(TRY_CAST({{ text }} AS TIMESTAMP)) END
{%- endif -%}
