-- bench/discretized.sql: a table whose numbers are shown as names of their parts.
--
-- in:      the source; ppdt_mdl_bin (attribute_id, code, bin)
-- out:     ppdt_discretized (every column of the source)
--          one row per row of the source that has a class
WITH coded AS (
    SELECT
{% for column in known %}
        source.{{ column | ident }},
{% endfor %}
{% for column in columns %}
        CASE WHEN source.{{ column | ident }} IS NOT NULL THEN dense_rank() OVER (
            ORDER BY source.{{ column | ident }} ASC NULLS LAST
        ) END AS {{ ("ppdt_code_%d" % loop.index0) | ident }},
{% endfor %}
        source.{{ goal | ident }}
    FROM {{ source }} AS source
    WHERE source.{{ goal | ident }} IS NOT NULL
)

SELECT
{% for column in known %}
    coded.{{ column | ident }},
{% endfor %}
{% for column in columns %}
    {{ ("bin_%d" % loop.index0) | ident }}.bin AS {{ column | ident }},
{% endfor %}
    coded.{{ goal | ident }}
FROM coded
{% for column in columns %}
LEFT JOIN ppdt_mdl_bin AS {{ ("bin_%d" % loop.index0) | ident }}
    ON {{ ("bin_%d" % loop.index0) | ident }}.attribute_id = {{ loop.index0 | literal }}
    AND {{ ("bin_%d" % loop.index0) | ident }}.code = coded.{{ ("ppdt_code_%d" % loop.index0) | ident }}
{% endfor %};
