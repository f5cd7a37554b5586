-- audit/ncp_range.sql: the mean certainty penalty of a column of ranges.
--
-- in:      ppdt_class (n_rows, g<i>); ppdt_audit_domain (lo, hi)
-- out:     ppdt_ncp (ncp)
--          one row; NULL where a range cannot be measured
-- params:  $n_nulls
-- keeps:   a single value costs 0, a range its share of the axis, a suppressed cell 1; NULLs that the
--          original held are values; a range without an end reaches to that of the original, and cannot be
--          measured where there is none
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
        {%+ with text = "lo_text" | ident %}{% include "lib/fragments/is_open.sql" %} AS is_open_below,
        CASE WHEN NOT ({% include "lib/fragments/is_open.sql" %}) THEN {% include "lib/fragments/as_number.sql" %} END AS lo,
        {%+ endwith %}{% with text = "hi_text" | ident %}{% include "lib/fragments/is_open.sql" %} AS is_open_above,
        CASE WHEN NOT ({% include "lib/fragments/is_open.sql" %}) THEN {% include "lib/fragments/as_number.sql" %} END AS hi,
        {%+ endwith %}n_rows
    FROM shown
),

axis AS (
    SELECT
        count(domain.lo) > 0 AS is_known,
        coalesce(min({% with text = ("domain", "lo") | ident %}{% include "lib/fragments/as_number.sql" %}{% endwith %}), min(bound.lo)) AS lo,
        coalesce(max({% with text = ("domain", "hi") | ident %}{% include "lib/fragments/as_number.sql" %}{% endwith %}), max(bound.hi)) AS hi
    FROM bound
    CROSS JOIN ppdt_audit_domain AS domain
),

reached AS (
    SELECT
        bound.value,
        bound.lo_text,
        CASE WHEN bound.is_open_below AND axis.is_known THEN axis.lo ELSE bound.lo END AS lo,
        CASE WHEN bound.is_open_above AND axis.is_known THEN axis.hi ELSE bound.hi END AS hi,
        bound.n_rows
    FROM bound
    CROSS JOIN axis
)

SELECT CASE
    WHEN count(*) FILTER (WHERE reached.lo_text <> '' AND (reached.lo IS NULL OR reached.hi IS NULL)) > 0 THEN NULL
    ELSE (
        coalesce(CAST(sum(CAST(reached.n_rows * coalesce(round(({% with low = ("reached", "lo") | ident, high = ("reached", "hi") | ident %}{% include "lib/fragments/width.sql" %}{% endwith %}) / nullif({% with low = ("axis", "lo") | ident, high = ("axis", "hi") | ident %}{% include "lib/fragments/width.sql" %}{% endwith %}, 0), 12), 0) AS DECIMAL(38, 12)))
            FILTER (WHERE reached.lo_text <> '') AS DOUBLE), 0)
        + greatest(coalesce(sum(reached.n_rows) FILTER (WHERE reached.value IS NULL), 0) - coalesce($n_nulls, 0), 0)
    ) / sum(reached.n_rows)
    END AS ncp
FROM reached
CROSS JOIN axis;
