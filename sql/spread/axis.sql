-- spread/axis.sql: the values and end points of an ordered feature, in order.
--
-- in:      ppdt_read_<i> (lo, hi)
-- out:     ppdt_axis_<i> (code, number, value, unit)
--          one row per point that occurs
-- keeps:   codes count up from 1; `unit` is whole, for midpoints: exact steps, or of floats parts of the
--          largest magnitude
WITH point AS (
    SELECT lo AS number FROM {{ feature.table | ident }} WHERE lo IS NOT NULL
    UNION
    SELECT hi FROM {{ feature.table | ident }} WHERE hi IS NOT NULL
)

SELECT
    CAST(row_number() OVER (ORDER BY number ASC) AS INTEGER) AS code,
    number,
    {% with family = feature.trait.family, axis = feature.axis %}{% include "form/off_axis.sql" %}{% endwith %} AS value,
    {% if feature.axis.is_float -%}
    CAST(round(number / greatest(max(abs(number)) OVER (), 1e-300) * 1152921504606846976) AS HUGEINT)
    {%- else -%}
    {% with number = "number" | ident, type_name = feature.axis.type_name %}{% include "form/whole.sql" %}{% endwith %}
    {%- endif %} AS unit
FROM point;
