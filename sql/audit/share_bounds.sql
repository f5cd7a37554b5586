-- audit/share_bounds.sql: how much of an attribute each of its labels covers, where they are a lower and an upper bound.
--
-- in:      ppdt_class (n_rows, g<i>); ppdt_domain_<i> (lo, hi)
-- out:     ppdt_share_<i> (words, high_words, n_rows, share, is_missing)
--          one row per label; words and high_words are the texts of its bounds; share is NULL where they
--          cannot be measured
-- keeps:   a single value covers 0, a range its share of the axis; an empty cell is missing
WITH shown AS (
    SELECT
        CAST(release.{{ lo_column | ident }} AS VARCHAR) AS words,
        CAST(release.{{ hi_column | ident }} AS VARCHAR) AS high_words,
        {%+ with text = ("release", lo_column) | ident %}{% include "lib/fragments/text.sql" %}{% endwith %} AS lo_text,
        {%+ with text = ("release", hi_column) | ident %}{% include "lib/fragments/text.sql" %}{% endwith %} AS hi_text,
        CAST(sum(release.n_rows) AS BIGINT) AS n_rows
    FROM ppdt_class AS release
    GROUP BY ALL
),

bound AS (
    SELECT
        words,
        high_words,
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
    CROSS JOIN {{ domain | ident }} AS domain
)

SELECT
    bound.words,
    bound.high_words,
    bound.n_rows,
{% if axis is none %}
    CAST(NULL AS DOUBLE) AS share,
    FALSE AS is_missing
{% else %}
    round({% with low = ("bound", "lo") | ident, high = ("bound", "hi") | ident, least = ("axis", "lo") | ident, most = ("axis", "hi") | ident %}{% include "lib/fragments/portion.sql" %}{% endwith %}, 12) AS share,
    bound.lo IS NULL AS is_missing
{% endif %}
FROM bound
CROSS JOIN axis;
