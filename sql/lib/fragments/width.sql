{#- lib/fragments/width.sql: how far two points of an axis lie apart, as a DOUBLE. Large numbers of one sign are
subtracted exactly; of two signs they cannot cancel, and might overflow. Wants: low, high (quoted), axis. -#}
{%- if axis is none or axis.is_float -%}
({{ high }} - {{ low }})
{%- else -%}
CASE WHEN ({{ low }} < 0) = ({{ high }} < 0) THEN CAST({{ high }} - {{ low }} AS DOUBLE)
        ELSE CAST({{ high }} AS DOUBLE) - CAST({{ low }} AS DOUBLE) END
{%- endif -%}
