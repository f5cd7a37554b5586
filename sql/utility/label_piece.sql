-- utility/label_piece.sql: the parts of labels on the axis of their column, and the suppressed rows apart.
--
-- in:      ppdt_label_part (label_id, n_rows, lo_text, hi_text); the original
-- out:     ppdt_label_piece (label_id, n_rows, lo, hi, word, is_all)
--          one row per part; lo and hi for numbers, dates and times, word for all else, none for NULL
-- keeps:   as many rows show NULL alone as there are NULLs in the original: the others are suppressed and
--          stand for all values, in a piece of their own
WITH null_label AS (
    SELECT any_value(label_id) AS label_id, any_value(n_rows) AS n_rows
    FROM (SELECT label_id, any_value(n_rows) AS n_rows FROM ppdt_label_part GROUP BY label_id HAVING max(lo_text) IS NULL) AS alone
),

suppressed AS (
    SELECT
        null_label.label_id,
        greatest(null_label.n_rows - (SELECT count(*) FROM {{ original }} AS original WHERE original.{{ before | ident }} IS NULL), 0) AS n_rows
    FROM null_label
),

{% if is_ordered %}
reach AS (
    SELECT
        min(number){% if has_infinite %} FILTER (WHERE isfinite(number)){% endif %} AS lo,
        max(number){% if has_infinite %} FILTER (WHERE isfinite(number)){% endif %} AS hi
    FROM (SELECT {% with text = "value_text" | ident %}{% include "lib/fragments/as_number.sql" %}{% endwith %} AS number FROM (SELECT DISTINCT {% with text = ("original", before) | ident, type_name = before_type %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} AS value_text FROM {{ original }} AS original) AS held) AS numbered
),

{% endif %}
placed AS (
    SELECT
        part.label_id,
        part.n_rows - coalesce(suppressed.n_rows, 0) AS n_rows,
        part.lo_text,
{% if is_ordered %}
        CASE WHEN part.lo_text <> part.hi_text AND {% with text = ("part", "lo_text") | ident %}{% include "lib/fragments/is_open.sql" %}{% endwith %}

            THEN reach.lo ELSE {% with text = ("part", "lo_text") | ident %}{% include "lib/fragments/as_number.sql" %}{% endwith %} END AS lo,
        CASE WHEN part.lo_text <> part.hi_text AND {% with text = ("part", "hi_text") | ident %}{% include "lib/fragments/is_open.sql" %}{% endwith %}

            THEN reach.hi ELSE {% with text = ("part", "hi_text") | ident %}{% include "lib/fragments/as_number.sql" %}{% endwith %} END AS hi
{% else %}
        CAST(NULL AS {{ number_type }}) AS lo,
        CAST(NULL AS {{ number_type }}) AS hi
{% endif %}
    FROM ppdt_label_part AS part
    LEFT JOIN suppressed ON suppressed.label_id = part.label_id
{% if is_ordered %}
    CROSS JOIN reach
{% endif %}
)

SELECT
    label_id,
    n_rows,
    {%+ if has_infinite %}CASE WHEN isfinite(lo) THEN lo END{% else %}lo{% endif %} AS lo,
    {%+ if has_infinite %}CASE WHEN isfinite(hi) THEN hi END{% else %}hi{% endif %} AS hi,
    CASE WHEN lo IS NULL THEN lo_text{% if has_infinite %} WHEN NOT isfinite(lo) THEN CAST(lo AS VARCHAR){% endif %} END AS word,
    FALSE AS is_all
FROM placed
WHERE n_rows > 0
UNION ALL
SELECT 0, n_rows, CAST(NULL AS {{ number_type }}), CAST(NULL AS {{ number_type }}), CAST(NULL AS VARCHAR), TRUE
FROM suppressed
WHERE n_rows > 0;
