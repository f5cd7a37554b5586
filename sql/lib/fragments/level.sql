{#- lib/fragments/level.sql: the words of one level of a hierarchy for a value, NULL where it has none there.
Wants: attribute, level, form. -#}
{%- if form == "expression" -%}
TRY(CAST({{ level.expression }} AS VARCHAR))
{%- elif form == "prefix" -%}
{%- with text = ("base", "value") | ident, type_name = attribute.type_name -%}
CASE WHEN length({% include "lib/fragments/utc_text.sql" %}) > {{ level.length | literal }} THEN concat(left({% include "lib/fragments/utc_text.sql" %}, {{ level.length | literal }}), '*')
        ELSE {% include "lib/fragments/utc_text.sql" %} END
{%- endwith -%}
{%- elif form == "interval" and attribute.is_scaled -%}
CASE WHEN base.n_steps IS NOT NULL THEN concat(
        '[', round({{ level.start | literal }} + floor((base.value - {{ level.start | literal }}) / {{ level.width | literal }}) * {{ level.width | literal }}, 12),
        ', ', round({{ level.start | literal }} + (floor((base.value - {{ level.start | literal }}) / {{ level.width | literal }}) + 1) * {{ level.width | literal }}, 12), ')') END
{%- elif form == "interval" -%}
CASE WHEN base.n_steps IS NOT NULL THEN concat(
        '[', {% with shift = 0 %}{% include "lib/fragments/level_end.sql" %}{% endwith %},
        ', ', {% with shift = 1 %}{% include "lib/fragments/level_end.sql" %}{% endwith %}, ')') END
{%- else -%}
{%- set day = "instant" if attribute.family == "timestamptz" else "value" -%}
CASE WHEN base.n_steps IS NOT NULL THEN concat(
{%- if level.unit == "decade" -%}
CAST(floor(extract('year' FROM base.{{ day | ident }}) / 10) AS BIGINT) * 10, 's'
{%- else -%}
extract('year' FROM base.{{ day | ident }})
{%- if level.unit == "quarter" -%}
, '-Q', extract('quarter' FROM base.{{ day | ident }})
{%- elif level.unit != "year" -%}
, '-', lpad(CAST(extract('month' FROM base.{{ day | ident }}) AS VARCHAR), 2, '0')
{%- if level.unit == "day" -%}
, '-', lpad(CAST(extract('day' FROM base.{{ day | ident }}) AS VARCHAR), 2, '0')
{%- endif -%}
{%- endif -%}
{%- endif -%}
) END
{%- endif -%}
