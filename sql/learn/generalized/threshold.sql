-- learn/generalized/threshold.sql: the thresholds of a tree on an ordered feature, as an axis.
--
-- in:      nothing
-- out:     ppdt_axis_<i> (code, number)
--          one row per threshold
-- params:  $values
-- keeps:   a threshold that lies below all numbers of the axis is NULL
WITH given AS (
    SELECT unnest(CAST($values AS VARCHAR[])) AS threshold
),

placed AS (
    SELECT {% with text = "threshold" | ident, axis = feature.axis %}{% include "lib/fragments/as_number.sql" %}{% endwith %} AS number
    FROM given
)

SELECT
    CAST(row_number() OVER (ORDER BY number ASC NULLS FIRST) AS INTEGER) AS code,
    number
FROM placed;
