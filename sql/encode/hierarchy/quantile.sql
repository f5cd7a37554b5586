-- hierarchy/quantile.sql: the values of a column beside the parts of equally many rows that they lie in.
--
-- in:      ppdt_base (code, value, shown, n_rows, unit)
-- out:     ppdt_quantile (path_id, code, leaf, word_<h>)
--          one row per value; the last word is the root's
-- keeps:   a value lies in one part whatever its rows; NULL, NaN and infinities lie below the root
WITH running AS (
    SELECT
        code,
        sum(n_rows) OVER (ORDER BY code ASC) - n_rows AS n_before,
        sum(n_rows) OVER () AS n_all
    FROM ppdt_base
    WHERE unit IS NOT NULL
),

part AS (
    SELECT
        base.code,
        base.value,
        base.shown,
{% for level in steps %}
        CAST(running.n_before * {{ level | literal }} // running.n_all AS BIGINT) AS {{ ("part_%d" % loop.index0) | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
    FROM ppdt_base AS base
    LEFT JOIN running ON running.code = base.code
)

SELECT
    code AS path_id,
    code,
    {% with text = "value" | ident, type_name = attribute.type_name %}{% include "form/utc_text.sql" %}{% endwith %} AS leaf,
{% for level in steps %}
    CASE
        WHEN {{ ("part_%d" % loop.index0) | ident }} IS NULL THEN NULL
        WHEN count(*) OVER {{ ("of_%d" % loop.index0) | ident }} = 1 THEN shown
        ELSE concat('[', first_value(shown) OVER {{ ("of_%d" % loop.index0) | ident }}, ', ', last_value(shown) OVER {{ ("of_%d" % loop.index0) | ident }}, ']')
    END AS {{ ("word_%d" % loop.index0) | ident }},
{% endfor %}
    '*' AS {{ ("word_%d" % (steps | length)) | ident }}
FROM part
WINDOW
{% for level in steps %}
    {{ ("of_%d" % loop.index0) | ident }} AS (
        PARTITION BY {{ ("part_%d" % loop.index0) | ident }}
        ORDER BY code ASC
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    ){% if not loop.last %},{% endif %}

{% endfor %};
