{#- lib/fragments/pointed.sql: a whole number of steps as the text of a number with a decimal point; text all along, as
Spark's abs() keeps 34 digits only, and its quotients 32. Wants: digits; reads `step`. -#}
concat(
        CASE WHEN step < 0 THEN '-' ELSE '' END,
        left(replace(CAST(step AS VARCHAR), '-', ''), greatest(length(replace(CAST(step AS VARCHAR), '-', '')) - {{ digits | literal }}, 0)),
        '.',
        right(concat(repeat('0', {{ digits | literal }}), replace(CAST(step AS VARCHAR), '-', '')), {{ digits | literal }})
    )
{#- -#}
