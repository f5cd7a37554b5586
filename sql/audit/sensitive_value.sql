-- audit/sensitive_value.sql: the values of one sensitive column over the whole release, in their order.
--
-- in:      ppdt_class_value (value, n_rows)
-- out:     ppdt_sensitive_value (code, value, n_rows, n_upto, n_below)
--          one row per value
-- keeps:   codes count up from 0; NULL, then NaN and the infinities, come first: they lie on no axis;
--          n_upto counts the rows up to a code; n_below sums the n_upto of all lower codes
WITH counted AS (
    SELECT
        value,
        CAST(sum(n_rows) AS BIGINT) AS n_rows,
{% if sensitive.has_special %}
        CASE WHEN value IS NULL THEN 0{% if sensitive.is_float %} WHEN isnan(value) THEN 1{% endif %} WHEN isfinite(value) THEN 3 ELSE 2 END AS place
{% else %}
        0 AS place
{% endif %}
    FROM ppdt_class_value
    GROUP BY value
),

running AS (
    SELECT
        CAST(row_number() OVER (ORDER BY place ASC, value ASC NULLS FIRST) - 1 AS INTEGER) AS code,
        value,
        n_rows,
        CAST(sum(n_rows) OVER (ORDER BY place ASC, value ASC NULLS FIRST) AS BIGINT) AS n_upto
    FROM counted
)

SELECT
    code,
    value,
    n_rows,
    n_upto,
    CAST(sum(n_upto) OVER (ORDER BY code ASC) - n_upto AS HUGEINT) AS n_below
FROM running;
