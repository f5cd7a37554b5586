-- audit/domain.sql: the width of an attribute in the original: distinct values, the axis' ends, a value's bits.
--
-- in:      the original
-- out:     ppdt_domain_<i> (n_values, lo, hi, n_nulls, value_bits)
--          one row; lo and hi are text, of finite values; all NULL where there is no original
-- keeps:   the ends are values of the source: they are read from here, and bound nowhere; value_bits counts
--          the trillionths of a bit by which a single value is finer than the whole: of ordered attributes as
--          wide as the least distance of two values, whatever the type
{% if has_original %}
WITH held AS (
    SELECT
        original.{{ column | ident }}{% if is_text %} COLLATE "binary"{% endif %} AS value,
        count(*) AS n_rows
    FROM {{ original }} AS original
    GROUP BY ALL
),

reach AS (
    SELECT
        count(*) AS n_values,
{% if is_ordered %}
        min(value){% if has_special %} FILTER (WHERE isfinite(value)){% endif %} AS lo,
        max(value){% if has_special %} FILTER (WHERE isfinite(value)){% endif %} AS hi,
{% endif %}
        CAST(coalesce(sum(n_rows) FILTER (WHERE value IS NULL), 0) AS BIGINT) AS n_nulls
    FROM held
){% if is_ordered %},

point AS (
    SELECT {% with text = "text" | ident %}{% include "lib/fragments/as_number.sql" %}{% endwith %} AS point
    FROM (SELECT {% with text = "value" | ident %}{% include "lib/fragments/text.sql" %}{% endwith %} AS text FROM held) AS written
),

gap AS (
    SELECT point, lag(point) OVER (ORDER BY point ASC) AS below, min(point) OVER () AS least
    FROM point
    WHERE point IS NOT NULL{% if axis is not none and axis.is_float %} AND isfinite(point){% endif %}

),

span AS (
    SELECT
        min({% with low = "below" | ident, high = "point" | ident %}{% include "lib/fragments/width.sql" %}{% endwith %}) FILTER (WHERE below < point) AS gap,
        max({% with low = "least" | ident, high = "point" | ident %}{% include "lib/fragments/width.sql" %}{% endwith %}) AS whole
    FROM gap
){% endif %}


SELECT
    reach.n_values,
{% if is_ordered %}
    {%+ with text = "lo" | ident %}{% include "lib/fragments/text.sql" %}{% endwith %} AS lo,
    {%+ with text = "hi" | ident %}{% include "lib/fragments/text.sql" %}{% endwith %} AS hi,
    reach.n_nulls,
    CAST(round(coalesce((SELECT least(log2(whole), 1024) - least(log2(gap), 1024) FROM span WHERE gap > 0), 0) * 1e12) AS BIGINT) AS value_bits
{% else %}
    CAST(NULL AS VARCHAR) AS lo, CAST(NULL AS VARCHAR) AS hi, reach.n_nulls,
    CAST(round(log2(nullif(reach.n_values, 0)) * 1e12) AS BIGINT) AS value_bits
{% endif %}
FROM reach
{% else %}
SELECT
    CAST(NULL AS BIGINT) AS n_values, CAST(NULL AS VARCHAR) AS lo, CAST(NULL AS VARCHAR) AS hi,
    CAST(NULL AS BIGINT) AS n_nulls, CAST(NULL AS BIGINT) AS value_bits
{% endif %};
