{#- lib/fragments/is_long.sql: whether a number that is given as text has more digits than a DOUBLE tells apart, and is
not the text of one. Wants: text. -#}
length(regexp_replace(regexp_replace(regexp_replace({{ text }}, '^-?0*[.]?0*', ''), '[.]', ''), '0*$', '')) > 15
            AND coalesce(CAST(TRY_CAST({{ text }} AS DOUBLE) AS VARCHAR) <> {{ text }}, FALSE)
{#- -#}
