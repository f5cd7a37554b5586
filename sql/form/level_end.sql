{#- form/level_end.sql: the lower end of the interval that holds a value, or the upper one, exactly: in
whole steps of the level. Wants: level, shift. -#}
{%- if level.digits == 0 -%}
CAST(
{%- else -%}
CAST(CAST(
{%- endif -%}
base.unit * {{ level.factor | literal }} - ((base.unit * {{ level.factor | literal }} - {{ level.start | literal }}) % {{ level.width | literal }} + {{ level.width | literal }}) % {{ level.width | literal }} + {{ (shift * level.width) | literal }}
{%- if level.digits == 0 %} AS VARCHAR)
{%- else %} AS DOUBLE) / {{ (10 ** level.digits) | literal }} AS VARCHAR)
{%- endif -%}
