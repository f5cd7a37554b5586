-- learn/features/ordered.sql: every distinct form of an ordered feature, with the interval that it stands for.
--
-- in:      the source
-- out:     ppdt_read_<i> (shown, lo, hi, has_null)
--          one row per form as it is shown
-- keeps:   exact numbers are of their own type, floats DOUBLEs, dates and times whole microseconds (or
--          nanoseconds); lo and hi are NULL where nothing is known
WITH seen AS (
    SELECT DISTINCT {% include "lib/fragments/appears.sql" %} AS shown
    FROM {{ source }} AS source
),

{% if feature.is_written %}
part AS (
    SELECT
        shown,
        contains(shown, ' or ') AS has_null,
        {%+ include "lib/fragments/ends.sql" %}

    FROM seen
),

placed AS (
    SELECT
        shown,
        has_null,
        {%+ with text = "low" | ident, axis = feature.axis %}{% include "lib/fragments/as_number.sql" %}{% endwith %} AS lo,
        {%+ with text = "high" | ident, axis = feature.axis %}{% include "lib/fragments/as_number.sql" %}{% endwith %} AS hi
    FROM part
){% else %}
placed AS (
    SELECT
        shown,
        FALSE AS has_null,
        {%+ with axis = feature.axis, family = feature.family %}{% include "lib/fragments/on_axis.sql" %}{% endwith %} AS lo,
        {%+ with axis = feature.axis, family = feature.family %}{% include "lib/fragments/on_axis.sql" %}{% endwith %} AS hi
    FROM seen
){% endif %},

known AS (
    SELECT shown, lo, hi, has_null, coalesce({% if feature.axis.is_float %}isfinite(lo) AND isfinite(hi) AND {% endif %}lo <= hi, FALSE) AS is_known
    FROM placed
)

SELECT
    shown,
    CASE WHEN is_known THEN lo END AS lo,
    CASE WHEN is_known THEN hi END AS hi,
    has_null OR NOT is_known AS has_null
FROM known;
