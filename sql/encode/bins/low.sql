-- encode/bins/low.sql: the lower end of the bin above each cut, about halfway between the values beside the cut.
--
-- in:      ppdt_bin_value_<i> (code, value)
-- out:     ppdt_low (at_code, low)
--          one row per cut; low is text, in the type that bins are compared in
-- params:  $at_codes
-- keeps:   above the lower value, and at most the higher one: halves of a step go up; a float has as few
--          digits as tell it from the lower value; never -0.0
WITH placed AS (
    SELECT code, {% if attribute.family == "float" %}CAST(value AS DOUBLE){% else %}{% include "lib/fragments/steps.sql" %}{% endif %} AS step
    FROM {{ attribute.bin_value_relation }}
),

middle AS (
    SELECT
        below.code AS at_code,
{% if attribute.family == "float" %}
        coalesce(nullif(coalesce(list_filter(
            list_transform(range(16), lambda digits : round(below.step / 2 + above.step / 2, CAST(digits AS INTEGER))),
            lambda middle : middle > below.step AND middle <= above.step
        )[1], above.step), 0), 0) AS step
{% else %}
        above.step - CAST(above.step - below.step AS HUGEINT) // 2 AS step
{% endif %}
    FROM placed AS below
    INNER JOIN placed AS above ON above.code = below.code + 1
    WHERE list_contains(CAST($at_codes AS BIGINT[]), below.code)
)

SELECT
    at_code,
{% if attribute.family == "date" %}
    CAST(DATE '1970-01-01' + CAST(step AS INTEGER) AS VARCHAR) AS low
{% elif attribute.family == "timestamp" %}
    CAST(make_timestamp(CAST(step AS BIGINT)) AS VARCHAR) AS low
{% elif attribute.family == "timestamptz" %}
    concat(CAST(make_timestamp(CAST(step AS BIGINT)) AS VARCHAR), '+00') AS low
{% elif attribute.family == "time" %}
    CASE WHEN step = 86400000000 THEN '24:00:00' ELSE CAST(CAST(make_timestamp(CAST(step AS BIGINT)) AS TIME) AS VARCHAR) END AS low
{% elif attribute.decimals %}
    {%+ with digits = attribute.decimals %}{% include "lib/fragments/pointed.sql" %}{% endwith %} AS low
{% else %}
    CAST(step AS VARCHAR) AS low
{% endif %}
FROM middle
ORDER BY at_code ASC;
