{#- lib/fragments/coordinate.sql: a number on the axis of a feature as a DOUBLE, dates and times in seconds; from the
origin on where the feature has one, subtracted before it is rounded. Wants: number (quoted), feature. -#}
{%- set axis = feature.axis -%}
{%- set origin = feature.axis_origin -%}
{%- if origin is none -%}
{% if axis.is_float %}{{ number }}{% else %}CAST({{ number }} AS DOUBLE){% endif %}
{%- if axis.per_second > 1 %} / {{ axis.per_second | literal }}{% endif %}
{%- else -%}
(CASE WHEN {{ number }} >= {{ origin.base }} THEN {% with low = origin.base, high = number %}{% include "lib/fragments/width.sql" %}{% endwith %}

        ELSE -({% with low = number, high = origin.base %}{% include "lib/fragments/width.sql" %}{% endwith %}) END
        {%- if axis.per_second > 1 %} / {{ axis.per_second | literal }}{% endif %} - ({{ origin.rest | literal }}))
{%- endif -%}
