{#- lib/fragments/level_end.sql: the lower end of the interval that holds a value, or the upper one, exactly: in
whole steps of the level; digit by digit where a DOUBLE has too few. Wants: attribute, level, shift. -#}
{%- if level.digits == 0 -%}
CAST({% include "lib/fragments/level_step.sql" %} AS VARCHAR)
{%- elif attribute.is_long -%}
CASE WHEN {% include "lib/fragments/level_step.sql" %} < 0 THEN '-' ELSE '' END,
        CAST(abs({% include "lib/fragments/level_step.sql" %}) // {{ (10 ** level.digits) | literal }} AS VARCHAR), '.',
        lpad(CAST(abs({% include "lib/fragments/level_step.sql" %}) % {{ (10 ** level.digits) | literal }} AS VARCHAR), {{ level.digits | literal }}, '0')
{%- else -%}
CAST(CAST({% include "lib/fragments/level_step.sql" %} AS DOUBLE) / {{ (10 ** level.digits) | literal }} AS VARCHAR)
{%- endif -%}
