{#- lib/fragments/xlog.sql: n log2 n of a weight, in exact decimals, so that the order of a sum does not
matter. Wants: weight (text that came through a filter). -#}
CASE WHEN {{ weight }} > 0
    {#- #} THEN CAST(({{ weight }} / 1e6) * log2({{ weight }} / 1e6) AS DECIMAL(38, 12)) ELSE 0 END
