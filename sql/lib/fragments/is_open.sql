{#- lib/fragments/is_open.sql: whether an end of a range, as text, says that the range has no end there, as those
of the outermost bins do. Wants: text. -#}
{{ text }} IN ('-inf', 'inf', '-infinity', 'infinity')
{#- -#}
