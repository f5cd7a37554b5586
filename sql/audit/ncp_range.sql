-- audit/ncp_range.sql: the mean certainty penalty of a column of ranges.
--
-- in:      ppdt_class (n_rows, g<i>); ppdt_audit_domain (lo, hi)
-- out:     ppdt_ncp (ncp)
--          one row; NULL where a range cannot be measured
-- params:  $n_nulls
-- keeps:   a single value costs 0, a range its share of the axis, a suppressed cell 1; NULLs that the
--          original held are values
WITH shown AS (
    SELECT
        release.{{ column | ident }} AS value,
        regexp_extract(release.{{ column | ident }}, '^\[(.+), (.+)\]( or .+)?$', 1) AS lo_text,
        regexp_extract(release.{{ column | ident }}, '^\[(.+), (.+)\]( or .+)?$', 2) AS hi_text,
        CAST(sum(release.n_rows) AS BIGINT) AS n_rows
    FROM ppdt_class AS release
    GROUP BY ALL
),

bound AS (
    SELECT
        value,
        lo_text,
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

SELECT CASE
    WHEN count(*) FILTER (WHERE bound.lo_text <> '' AND (bound.lo IS NULL OR bound.hi IS NULL)) > 0 THEN NULL
    ELSE (
        coalesce(CAST(sum(CAST(bound.n_rows * coalesce(round(({% with low = ("bound", "lo") | ident, high = ("bound", "hi") | ident %}{% include "lib/fragments/width.sql" %}{% endwith %}) / nullif({% with low = ("axis", "lo") | ident, high = ("axis", "hi") | ident %}{% include "lib/fragments/width.sql" %}{% endwith %}, 0), 12), 0) AS DECIMAL(38, 12)))
            FILTER (WHERE bound.lo_text <> '') AS DOUBLE), 0)
        + greatest(coalesce(sum(bound.n_rows) FILTER (WHERE bound.value IS NULL), 0) - coalesce($n_nulls, 0), 0)
    ) / sum(bound.n_rows)
    END AS ncp
FROM bound
CROSS JOIN axis;
