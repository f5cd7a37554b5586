{#- form/long_mean.sql: the mean of numbers with more digits than a DOUBLE has, digit by digit; halves go away
from zero. Wants: attribute; reads total, n_values, and scale where the attribute is scaled. -#}
{%- if attribute.is_scaled -%}
scale.least + CAST(round(CAST(total AS DOUBLE) / n_values * (scale.magnitude / 1152921504606846976)) AS {{ attribute.held_type }})
{%- else -%}
{%- set digits = attribute.mean_digits -%}
CAST(CASE WHEN total < 0 THEN '-' ELSE '' END || CAST(
        (abs(total) // n_values * 10 + ((abs(total) % n_values) * 20 + n_values) // (2 * n_values)) // {{ (10 ** digits) | literal }} AS VARCHAR)
    || '.' || lpad(CAST(
        (abs(total) // n_values * 10 + ((abs(total) % n_values) * 20 + n_values) // (2 * n_values)) % {{ (10 ** digits) | literal }} AS VARCHAR),
        {{ digits | literal }}, '0') AS DECIMAL(38, {{ digits | literal }}))
{%- endif -%}
