-- learn/generalized/axis.sql: the values and end points of an ordered feature, in order.
--
-- in:      ppdt_read_<i> (lo, hi)
-- out:     ppdt_axis_<i> (code, number, value, n_steps)
--          one row per point that occurs
-- keeps:   codes count up from 1; `n_steps` is whole, for midpoints: exact steps, or of floats parts of the
--          largest magnitude
WITH point AS (
    SELECT lo AS number FROM {{ feature.table | ident }} WHERE lo IS NOT NULL
    UNION
    SELECT hi FROM {{ feature.table | ident }} WHERE hi IS NOT NULL
)

SELECT
    CAST(row_number() OVER (ORDER BY number ASC) AS INTEGER) AS code,
    number,
{% if feature.axis.kind == "nanosecond" %}
    make_timestamp_ns(number) AS value,
{% elif feature.trait.family == "date" %}
    CAST(make_timestamp(number) AS DATE) AS value,
{% elif feature.trait.family == "timestamp" %}
    make_timestamp(number) AS value,
{% elif feature.trait.family == "timestamptz" %}
    CAST(concat(CAST(make_timestamp(number) AS VARCHAR), '+00') AS TIMESTAMP WITH TIME ZONE) AS value,
{% elif feature.trait.family == "time" %}
    CAST(make_timestamp(number) AS TIME) AS value,
{% else %}
    CAST(number AS {{ type_name }}) AS value,
{% endif %}
    {% if feature.axis.is_float -%}
    CAST(round(number / greatest(max(abs(number)) OVER (), 1e-300) * 1152921504606846976) AS HUGEINT)
    {%- else -%}
    {%+ with number = "number" | ident, type_name = feature.axis.type_name %}{% include "lib/fragments/whole.sql" %}{% endwith %}
    {%- endif %} AS n_steps
FROM point;
