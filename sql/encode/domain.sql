-- encode/domain.sql: what the run must know of an attribute before it gives out codes.
--
-- in:      ppdt_value (value, n_rows)
-- out:     ppdt_domain (n_codes, n_nulls, n_special, magnitude)
--          one row; special values (NULL, NaN, infinities) never lie inside a range
SELECT
    count(*) AS n_codes,
    count(*) FILTER (WHERE value IS NULL) AS n_nulls,
{% if attribute.has_special %}
    count(*) FILTER (WHERE value IS NULL OR NOT isfinite(value)) AS n_special,
{% else %}
    count(*) FILTER (WHERE value IS NULL) AS n_special,
{% endif %}
{% if attribute.family in ("float", "integer", "huge", "decimal") %}
    {%+ include "lib/fragments/magnitude.sql" %} AS magnitude
{% else %}
    0 AS magnitude
{% endif %}
FROM {{ value | ident }};
