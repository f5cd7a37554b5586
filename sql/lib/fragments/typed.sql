{#- lib/fragments/typed.sql: a value that is kept as text, in the type that it had. Wants: value, type_name. -#}
CAST({{ value | literal }} AS {{ type_name }})
