-- tools/report/label.sql: the labels of one ordered column, with how far their ends lie above the lowest of all.
--
-- in:      the release
-- out:     ppdt_report_label (lo, hi, least, n_rows)
--          one row per label; lo is NULL where a label has no ends
-- keeps:   the lowest end is kept in a type that holds it exactly: only distances from it are DOUBLEs
WITH shown AS (
    SELECT
{% if high %}
        {%+ with text = ("release", column) | ident %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} AS lo_text,
        {%+ with text = ("release", high) | ident %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} AS hi_text,
{% else %}
        coalesce(
            nullif(regexp_extract({% with text = ("release", column) | ident %}{% include "lib/fragments/utc_text.sql" %}{% endwith %}, '^\[(.+), (.+)\]( or .+)?$', 1), ''),
            string_split({% with text = ("release", column) | ident %}{% include "lib/fragments/utc_text.sql" %}{% endwith %}, ' or ')[1]) AS lo_text,
        coalesce(
            nullif(regexp_extract({% with text = ("release", column) | ident %}{% include "lib/fragments/utc_text.sql" %}{% endwith %}, '^\[(.+), (.+)\]( or .+)?$', 2), ''),
            string_split({% with text = ("release", column) | ident %}{% include "lib/fragments/utc_text.sql" %}{% endwith %}, ' or ')[1]) AS hi_text,
{% endif %}
        count(*) AS n_rows
    FROM {{ release }} AS release
    GROUP BY ALL
),

placed AS (
    SELECT
        {%+ with text = "lo_text" | ident %}{% include "lib/fragments/as_number.sql" %}{% endwith %} AS lo,
        {%+ with text = "hi_text" | ident %}{% include "lib/fragments/as_number.sql" %}{% endwith %} AS hi,
        n_rows
    FROM shown
),

lowest AS (
    SELECT min(lo){% if axis.is_float %} FILTER (WHERE isfinite(lo)){% endif %} AS least
    FROM placed
)

SELECT
    {%+ with low = ("lowest", "least") | ident, high = ("placed", "lo") | ident %}{% include "lib/fragments/width.sql" %}{% endwith %} AS lo,
    {%+ with low = ("lowest", "least") | ident, high = ("placed", "hi") | ident %}{% include "lib/fragments/width.sql" %}{% endwith %} AS hi,
    lowest.least,
    placed.n_rows
FROM placed
CROSS JOIN lowest;
