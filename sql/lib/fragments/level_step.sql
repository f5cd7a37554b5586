{#- lib/fragments/level_step.sql: an end of the interval that holds a value, in whole steps of the level. Wants: level,
shift. -#}
base.n_steps * {{ level.factor | literal }} - ((base.n_steps * {{ level.factor | literal }} - {{ level.start | literal }}) % {{ level.width | literal }} + {{ level.width | literal }}) % {{ level.width | literal }} + {{ (shift * level.width) | literal }}
{#- -#}
