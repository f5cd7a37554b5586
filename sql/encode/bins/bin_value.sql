-- encode/bins/bin_value.sql: the finite values of a column, each with its rows, and with what it counts towards k.
--
-- in:      the source
-- out:     ppdt_bin_value_<i> (code, value, n_rows, n_counted)
--          one row per value; codes count up from 1 in the values' order
-- keeps:   an entity counts once, at its lowest value: so what is counted between two values is at least
--          counted in entities
WITH held AS (
    SELECT
        {%+ with table = "source" %}{% include "lib/fragments/comparable.sql" %}{% endwith %} AS value,
{% if entity %}
        {%+ with table = "source", attribute = entity %}{% include "lib/fragments/comparable.sql" %}{% endwith %} AS entity,
{% endif %}
        count(*) AS n_rows
    FROM {{ source }} AS source
    GROUP BY ALL
),

finite AS (
    SELECT
        value,
        n_rows,
        {%+ if entity %}row_number() OVER (PARTITION BY entity ORDER BY value ASC) = 1 AS is_counted{% else %}TRUE AS is_counted{% endif %}

    FROM held
    WHERE {% if attribute.has_special %}coalesce(isfinite(value), FALSE){% else %}value IS NOT NULL{% endif %}

)

SELECT
    CAST(row_number() OVER (ORDER BY value ASC) AS BIGINT) AS code,
    value,
    CAST(sum(n_rows) AS BIGINT) AS n_rows,
    CAST({% if entity %}count(*) FILTER (WHERE is_counted){% else %}sum(n_rows){% endif %} AS BIGINT) AS n_counted
FROM finite
GROUP BY value;
