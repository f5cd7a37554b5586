-- tools/report/label.sql: the labels of one ordered column, with how far their ends lie above the lowest of all.
--
-- in:      the release
-- out:     ppdt_report_label (lo, hi, least, n_rows)
--          one row per label; lo is NULL where a label has no ends
-- keeps:   the lowest end is kept in a type that holds it exactly: only distances from it are DOUBLEs
{% if high %}
WITH ended AS (
    SELECT
        {%+ with text = ("release", column) | ident %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} AS low,
        {%+ with text = ("release", high) | ident %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} AS high,
        count(*) AS n_rows
    FROM {{ release }} AS release
    GROUP BY ALL
),

{% else %}
WITH written AS (
    SELECT
        {%+ with text = ("release", column) | ident %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} AS shown,
        count(*) AS n_rows
    FROM {{ release }} AS release
    GROUP BY ALL
),

ended AS (
    SELECT
        {%+ include "lib/fragments/ends.sql" %},
        n_rows
    FROM written
),

{% endif %}
placed AS (
    SELECT
        {%+ with text = "low" | ident %}{% include "lib/fragments/as_number.sql" %}{% endwith %} AS lo,
        {%+ with text = "high" | ident %}{% include "lib/fragments/as_number.sql" %}{% endwith %} AS hi,
        n_rows
    FROM ended
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
