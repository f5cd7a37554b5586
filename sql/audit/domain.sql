-- audit/domain.sql: the width of an attribute in the original: distinct values, and the axis' ends.
--
-- in:      the original
-- out:     ppdt_audit_domain (n_values, lo, hi, n_nulls)
--          one row; lo and hi are text, of finite values; all NULL where there is no original
-- keeps:   the ends are values of the source: they are read from here, and bound nowhere
{% if has_original %}
WITH reach AS (
    SELECT
        count(DISTINCT original.{{ column | ident }}{% if is_text %} COLLATE "binary"{% endif %}) + max(CAST(original.{{ column | ident }} IS NULL AS INTEGER)) AS n_values,
{% if is_ordered %}
        min(original.{{ column | ident }}){% if has_special %} FILTER (WHERE isfinite(original.{{ column | ident }})){% endif %} AS lo,
        max(original.{{ column | ident }}){% if has_special %} FILTER (WHERE isfinite(original.{{ column | ident }})){% endif %} AS hi,
{% endif %}
        count(*) FILTER (WHERE original.{{ column | ident }} IS NULL) AS n_nulls
    FROM {{ original }} AS original
)

SELECT
    n_values,
{% if is_ordered %}
    {%+ with text = "lo" | ident %}{% include "lib/fragments/text.sql" %}{% endwith %} AS lo,
    {%+ with text = "hi" | ident %}{% include "lib/fragments/text.sql" %}{% endwith %} AS hi,
{% else %}
    CAST(NULL AS VARCHAR) AS lo,
    CAST(NULL AS VARCHAR) AS hi,
{% endif %}
    n_nulls
FROM reach
{% else %}
SELECT
    CAST(NULL AS BIGINT) AS n_values,
    CAST(NULL AS VARCHAR) AS lo,
    CAST(NULL AS VARCHAR) AS hi,
    CAST(NULL AS BIGINT) AS n_nulls
{% endif %};
