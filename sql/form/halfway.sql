{#- form/halfway.sql: the last whole number that is not above the middle of two units, which is widened by a
slack. Numbers of one sign are subtracted, of two signs added: neither can overflow. Wants: nothing;
reads `low` and `high`. -#}
CASE WHEN (low.unit < 0) = (high.unit < 0)
            THEN low.unit + CAST(high.unit - low.unit + high.slack AS HUGEINT) // 2
            ELSE CAST(low.unit + high.unit + high.slack - abs((low.unit + high.unit + high.slack) % 2) AS HUGEINT) // 2 END
{#- -#}
