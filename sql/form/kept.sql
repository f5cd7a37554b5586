{#- form/kept.sql: whether some rows, grouped by their sensitive values, keep every model that is asked
for; t is left out for columns that guard/far or guard/remote judges. Wants: guard, far_kinds. -#}
TRUE
{%- if guard.entropy is not none %}

        AND round(exp(ln(any_value(n_side)) - CAST(sum(CAST(n_rows * ln(n_rows) AS DECIMAL(38, 12))) AS DOUBLE)
            / any_value(n_side)), 12) >= round(CAST($entropy AS DOUBLE), 12)
{%- endif %}
{%- if guard.recursive is not none %}

        AND count(*) >= {{ guard.recursive[1] | literal }}
        AND round(max(n_rows) / CAST(nullif(any_value(n_side)
            - list_sum(max(n_rows, {{ (guard.recursive[1] - 1) | literal }})), 0) AS DOUBLE), 12) < round(CAST($recursive_c AS DOUBLE), 12)
{%- endif %}
{%- if guard.alpha is not none %}

        AND round(max(n_rows) / CAST(any_value(n_side) AS DOUBLE), 12) <= round(CAST($alpha AS DOUBLE), 12)
{%- endif %}
{%- if guard.t is not none %}

        AND {% if far_kinds %}(kind IN ({% for kind in far_kinds %}{{ kind | literal }}{% if not loop.last %}, {% endif %}{% endfor %}) OR {% endif %}round(
            CAST(sum(greatest(n_rows * n_total - n_whole * n_side, 0)) AS DOUBLE)
            / (CAST(any_value(n_side) AS DOUBLE) * any_value(n_total)), 12) <= round(CAST($t AS DOUBLE), 12){% if far_kinds %}){% endif %}
{%- endif %}
{%- if guard.beta is not none %}

        AND round(max(CAST(n_rows AS DOUBLE) * n_total / (CAST(n_side AS DOUBLE) * n_whole)) - 1, 12) <= round(CAST($beta AS DOUBLE), 12)
{%- endif %}
{%- if guard.enhanced_beta is not none %}

        AND bool_and(round(CAST(n_rows AS DOUBLE) * n_total / (CAST(n_side AS DOUBLE) * n_whole) - 1, 12)
            <= least(round(CAST($enhanced_beta AS DOUBLE), 12), round(-ln(CAST(n_whole AS DOUBLE) / n_total), 12)))
{%- endif %}
{%- if guard.delta is not none %}

        AND count(*) = any_value(n_values)
        AND round(max(abs(ln(CAST(n_rows AS DOUBLE) * n_total / (CAST(n_side AS DOUBLE) * n_whole)))), 12) < round(CAST($delta AS DOUBLE), 12)
{%- endif %}
