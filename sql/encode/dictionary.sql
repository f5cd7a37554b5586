-- encode/dictionary.sql: give every value of one attribute a small integer, in the values' order.
--
-- in:      ppdt_value (value, n_rows)
-- out:     ppdt_code_<i> (code, value, shown, n_rows, n_steps, position)
--          one row per value
-- params:  $order
-- keeps:   codes count up from 0; NULL, then NaN and the infinities, come lowest; `n_steps` counts the
--          attribute's smallest steps, exactly; `position` runs from 0 to 1 over the finite values
WITH {% if attribute.is_scaled %}scale AS (
    {%+ with table = value %}{% include "lib/fragments/scale.sql" %}{% endwith %}

),

{% endif %}
measured AS (
    SELECT
        value,
        n_rows,
{% if attribute.has_special %}
        CASE
            WHEN value IS NULL THEN 0
{% if attribute.family == "float" %}
            WHEN isnan(value) THEN 1
{% endif %}
            WHEN isfinite(value) THEN 4
            WHEN {% if attribute.family == "float" %}value < 0{% else %}CAST(value AS VARCHAR) = '-infinity'{% endif %} THEN 2
            ELSE 3
        END AS rank,
{% else %}
        CASE WHEN value IS NULL THEN 0 ELSE 4 END AS rank,
{% endif %}
{% if attribute.kind == "ordered" %}
        CASE WHEN {% if attribute.has_special %}isfinite(value){% else %}value IS NOT NULL{% endif %}

            THEN {% include "lib/fragments/steps.sql" %}
        END AS n_steps,
{% else %}
        CAST(NULL AS HUGEINT) AS n_steps,
{% endif %}
{% if has_order %}
        list_position($order, CAST(value AS VARCHAR) COLLATE "binary") AS place,
{% else %}
        0 AS place,
{% endif %}
        {%+ include "lib/fragments/shown.sql" %} AS shown
    FROM {{ value | ident }}
{% if attribute.is_scaled %}
    CROSS JOIN scale
{% endif %}
)

SELECT
    CAST(row_number() OVER (
        ORDER BY rank ASC, place ASC, value ASC NULLS FIRST
    ) - 1 AS INTEGER) AS code,
    value,
    shown,
    n_rows,
    n_steps,
    coalesce(
        CAST(n_steps - min(n_steps) OVER () AS DOUBLE)
        / nullif(CAST(max(n_steps) OVER () - min(n_steps) OVER () AS DOUBLE), 0),
        CASE WHEN n_steps IS NOT NULL THEN 0.0 END
    ) AS position
FROM measured;
