{#- form/coordinate.sql: a number on the axis of a feature as a DOUBLE, dates and times in seconds; from the
origin on where the feature has one, subtracted before it is rounded. Wants: number (quoted), feature. -#}
{%- set axis = feature.axis -%}
{%- set ground = feature.ground -%}
{%- if ground is none -%}
{% if axis.is_float %}{{ number }}{% else %}CAST({{ number }} AS DOUBLE){% endif %}
{%- if axis.per_second > 1 %} / {{ axis.per_second | literal }}{% endif %}
{%- else -%}
(CASE WHEN {{ number }} >= {{ ground.base }} THEN {% with low = ground.base, high = number %}{% include "form/width.sql" %}{% endwith %}

        ELSE -({% with low = number, high = ground.base %}{% include "form/width.sql" %}{% endwith %}) END
        {%- if axis.per_second > 1 %} / {{ axis.per_second | literal }}{% endif %} - ({{ ground.rest | literal }}))
{%- endif -%}
