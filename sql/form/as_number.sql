{#- form/as_number.sql: a number, date, instant or time of day, given as text, as a number on one axis.
Wants: text. -#}
coalesce(
        TRY_CAST({{ text }} AS DOUBLE),
        epoch(TRY_CAST({{ text }} AS TIMESTAMP)),
        epoch(TRY_CAST({{ text }} AS TIME))
    )
