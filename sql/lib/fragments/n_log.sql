{#- lib/fragments/n_log.sql: n log2 n of a number of rows, in exact decimals, so that the order of a sum does
not matter. Wants: weight (text that came through a filter). -#}
CASE WHEN {{ weight }} > 0
    {#- #} THEN CAST({{ weight }} * log2({{ weight }}) AS DECIMAL(38, 18)) ELSE 0 END
