{#- lib/fragments/portion.sql: the share that a range covers of an axis; 0 where the axis has no extent. An axis of
floats whose width overflows is measured in halves. Wants: low, high, least, most (quoted), axis. -#}
{%- if axis is none or axis.is_float -%}
coalesce(CASE WHEN isfinite({{ most }} - {{ least }}) THEN ({{ high }} - {{ low }}) / nullif({{ most }} - {{ least }}, 0)
        ELSE ({{ high }} / 2 - {{ low }} / 2) / ({{ most }} / 2 - {{ least }} / 2) END, 0)
{%- else -%}
coalesce(({% include "lib/fragments/width.sql" %}) / nullif({% with low = least, high = most %}{% include "lib/fragments/width.sql" %}{% endwith %}, 0), 0)
{%- endif -%}
