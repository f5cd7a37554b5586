-- audit/share_range.sql: how much of an attribute each of its labels covers, where they are ranges.
--
-- in:      ppdt_class (n_rows, g<i>); ppdt_domain_<i> (lo, hi)
-- out:     ppdt_share_<i> (words, high_words, n_rows, share, is_missing)
--          one row per label; words is its text; share is NULL where a range cannot be measured
-- keeps:   a single value covers 0, a range its share of the axis; an empty cell is missing; a range without an
--          end reaches to that of the original, and cannot be measured where there is none
WITH shown AS (
    SELECT
        CAST(release.{{ column | ident }} AS VARCHAR) AS words,
        regexp_extract(release.{{ column | ident }}, '^\[(.+), (.+)\]( or .+)?$', 1) AS lo_text,
        regexp_extract(release.{{ column | ident }}, '^\[(.+), (.+)\]( or .+)?$', 2) AS hi_text,
        CAST(sum(release.n_rows) AS BIGINT) AS n_rows
    FROM ppdt_class AS release
    GROUP BY ALL
),

bound AS (
    SELECT
        words,
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
    CROSS JOIN {{ domain | ident }} AS domain
),

reached AS (
    SELECT
        bound.words,
        bound.n_rows,
        bound.lo_text,
        CASE WHEN bound.is_open_below AND axis.is_known THEN axis.lo ELSE bound.lo END AS lo,
        CASE WHEN bound.is_open_above AND axis.is_known THEN axis.hi ELSE bound.hi END AS hi
    FROM bound
    CROSS JOIN axis
)

SELECT
    reached.words,
    CAST(NULL AS VARCHAR) AS high_words,
    reached.n_rows,
    CASE
        WHEN coalesce(reached.lo_text, '') = '' THEN 0
        WHEN reached.lo IS NOT NULL AND reached.hi IS NOT NULL THEN round({% with low = ("reached", "lo") | ident, high = ("reached", "hi") | ident, least = ("axis", "lo") | ident, most = ("axis", "hi") | ident %}{% include "lib/fragments/portion.sql" %}{% endwith %}, 12)
    END AS share,
    reached.words IS NULL AS is_missing
FROM reached
CROSS JOIN axis;
