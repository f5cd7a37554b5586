{#- form/long_mean.sql: the mean of numbers with more digits than a DOUBLE has, digit by digit; halves go away
from zero. Wants: attribute; reads total, n_values, and scale where the attribute is scaled. -#}
{%- if attribute.is_scaled -%}
{#- From the nearer end, in two halves: the whole reach of a type does not fit into the type. -#}
CASE
        WHEN CAST(total AS DOUBLE) / n_values <= 576460752303423488
            THEN scale.least
                + CAST(round(CAST(total AS DOUBLE) / n_values / 2305843009213693952 * scale.magnitude) AS {{ attribute.held_type }})
                + CAST(round(CAST(total AS DOUBLE) / n_values / 2305843009213693952 * scale.magnitude) AS {{ attribute.held_type }})
        ELSE scale.greatest
            - CAST(round((0.5 - CAST(total AS DOUBLE) / n_values / 2305843009213693952) * scale.magnitude) AS {{ attribute.held_type }})
            - CAST(round((0.5 - CAST(total AS DOUBLE) / n_values / 2305843009213693952) * scale.magnitude) AS {{ attribute.held_type }})
    END
{%- else -%}
{%- set digits = attribute.mean_digits -%}
CAST(CASE WHEN total < 0 THEN '-' ELSE '' END || CAST(
        (CAST(abs(total) AS HUGEINT) // n_values * 10 + ((abs(total) % n_values) * 20 + n_values) // (2 * n_values)) // {{ (10 ** digits) | literal }} AS VARCHAR)
    || '.' || lpad(CAST(
        (CAST(abs(total) AS HUGEINT) // n_values * 10 + ((abs(total) % n_values) * 20 + n_values) // (2 * n_values)) % {{ (10 ** digits) | literal }} AS VARCHAR),
        {{ digits | literal }}, '0') AS DECIMAL(38, {{ digits | literal }}))
{%- endif -%}
