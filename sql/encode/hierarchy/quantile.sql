-- encode/hierarchy/quantile.sql: the values of a column beside the parts of equally many rows that they lie in.
--
-- in:      ppdt_base (code, value, shown, n_rows, n_steps)
-- out:     ppdt_quantile (path_id, code, leaf, word_<h>)
--          one row per value; the last word is the root's
-- keeps:   a value lies in one part whatever its rows; NULL, NaN and infinities lie below the root
WITH running AS (
    SELECT
        code,
        sum(n_rows) OVER (ORDER BY code ASC) - n_rows AS n_before,
        sum(n_rows) OVER () AS n_all
    FROM ppdt_base
    WHERE n_steps IS NOT NULL
),

part AS (
    SELECT
        base.code,
        base.value,
        base.shown,
{% for level in steps %}
        CAST(running.n_before * {{ level | literal }} // running.n_all AS BIGINT) AS {{ nth("part", loop) }}{{ comma(loop) }}
{% endfor %}
    FROM ppdt_base AS base
    LEFT JOIN running ON running.code = base.code
)

SELECT
    code AS path_id,
    code,
    {%+ with text = "value" | ident, type_name = attribute.type_name %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} AS leaf,
{% for level in steps %}
    CASE
        WHEN {{ nth("part", loop) }} IS NULL THEN NULL
        WHEN count(*) OVER {{ nth("of", loop) }} = 1 THEN shown
        ELSE concat('[', first_value(shown) OVER {{ nth("of", loop) }}, ', ', last_value(shown) OVER {{ nth("of", loop) }}, ']')
    END AS {{ nth("word", loop) }},
{% endfor %}
    '*' AS {{ ("word_%d" % (steps | length)) | ident }}
FROM part
WINDOW
{% for level in steps %}
    {{ nth("of", loop) }} AS (
        PARTITION BY {{ nth("part", loop) }}
        ORDER BY code ASC
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    ){{ comma(loop) }}
{% endfor %};
