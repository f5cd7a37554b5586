-- audit/ncp_bounds.sql: the mean certainty penalty of a pair of columns, lower and upper.
--
-- in:      ppdt_class (n_rows, g<i>); ppdt_audit_domain (lo, hi)
-- out:     ppdt_ncp (ncp)
--          one row
-- params:  $n_nulls
-- keeps:   a single value costs 0, a range its share of the axis, a suppressed cell 1; NULLs that the
--          original held are values
WITH shown AS (
    SELECT
        {%+ with text = ("release", lo_column) | ident %}{% include "lib/fragments/text.sql" %}{% endwith %} AS lo_text,
        {%+ with text = ("release", hi_column) | ident %}{% include "lib/fragments/text.sql" %}{% endwith %} AS hi_text,
        CAST(sum(release.n_rows) AS BIGINT) AS n_rows
    FROM ppdt_class AS release
    GROUP BY ALL
),

bound AS (
    SELECT
        {%+ with text = "lo_text" | ident %}{% include "lib/fragments/as_number.sql" %}{% endwith %} AS lo,
        {%+ with text = "hi_text" | ident %}{% include "lib/fragments/as_number.sql" %}{% endwith %} AS hi,
        n_rows
    FROM shown
),

axis AS (
    SELECT
        coalesce(min({% with text = ("domain", "lo") | ident %}{% include "lib/fragments/as_number.sql" %}{% endwith %}), min(bound.lo)) AS lo,
        coalesce(max({% with text = ("domain", "hi") | ident %}{% include "lib/fragments/as_number.sql" %}{% endwith %}), max(bound.hi)) AS hi
    FROM bound
    CROSS JOIN ppdt_audit_domain AS domain
)

SELECT (
    coalesce(CAST(sum(CAST(bound.n_rows * coalesce(round(({% with low = ("bound", "lo") | ident, high = ("bound", "hi") | ident %}{% include "lib/fragments/width.sql" %}{% endwith %}) / nullif({% with low = ("axis", "lo") | ident, high = ("axis", "hi") | ident %}{% include "lib/fragments/width.sql" %}{% endwith %}, 0), 12), 0) AS DECIMAL(38, 12)))
        FILTER (WHERE bound.lo IS NOT NULL) AS DOUBLE), 0)
    + greatest(coalesce(sum(bound.n_rows) FILTER (WHERE bound.lo IS NULL), 0) - coalesce($n_nulls, 0), 0)
) / sum(bound.n_rows) AS ncp
FROM bound
CROSS JOIN axis;
