-- utility/axis_value.sql: the values of a column on one axis: those of the original, and the ends of labels.
--
-- in:      the original; ppdt_label_piece (lo, hi, word, is_all)
-- out:     ppdt_axis_value (code, number, word, place, n_rows)
--          one row per value; n_rows in the original; both number and word NULL for NULL
-- keeps:   codes count up from 0, what lies on no axis first; place runs from 0 to 1 over the numbers
WITH held AS (
    SELECT {% with text = ("original", before) | ident, type_name = before_type %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} COLLATE "binary" AS value_text, count(*) AS n_rows
    FROM {{ original }} AS original
    GROUP BY ALL
),

numbered AS (
    SELECT value_text, n_rows, {% if is_ordered %}{% with text = "value_text" | ident %}{% include "lib/fragments/as_number.sql" %}{% endwith %}{% else %}CAST(NULL AS {{ number_type }}){% endif %} AS number
    FROM held
),

point AS (
    SELECT
        {%+ if has_infinite %}CASE WHEN isfinite(number) THEN number END{% else %}number{% endif %} AS number,
        CASE WHEN number IS NULL THEN value_text{% if has_infinite %} WHEN NOT isfinite(number) THEN CAST(number AS VARCHAR){% endif %} END AS word,
        n_rows
    FROM numbered
    UNION ALL
    SELECT lo, word, 0 FROM ppdt_label_piece WHERE NOT is_all
    UNION ALL
    SELECT hi, word, 0 FROM ppdt_label_piece WHERE NOT is_all
),

value AS (
    SELECT number, word COLLATE "binary" AS word, CAST(sum(n_rows) AS BIGINT) AS n_rows
    FROM point
    GROUP BY ALL
),

axis AS (
    SELECT min(number) AS lo, max(number) AS hi
    FROM value
)

SELECT
    row_number() OVER (ORDER BY value.number ASC NULLS FIRST, value.word ASC NULLS FIRST) - 1 AS code,
    value.number,
    value.word,
    CAST(CASE WHEN value.number IS NOT NULL
        THEN coalesce(({% with low = ("axis", "lo") | ident, high = ("value", "number") | ident %}{% include "lib/fragments/width.sql" %}{% endwith %})
            / nullif({% with low = ("axis", "lo") | ident, high = ("axis", "hi") | ident %}{% include "lib/fragments/width.sql" %}{% endwith %}, 0), 0) END AS DECIMAL(38, 12)) AS place,
    value.n_rows
FROM value
CROSS JOIN axis;
