-- tools/bench/discretized.sql: a table whose numbers are shown as names of their parts.
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
        ) END AS {{ nth("ppdt_code", loop) }},
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
    {{ nth("bin", loop) }}.bin AS {{ column | ident }},
{% endfor %}
    coded.{{ goal | ident }}
FROM coded
{% for column in columns %}
LEFT JOIN ppdt_mdl_bin AS {{ nth("bin", loop) }}
    ON {{ nth("bin", loop) }}.attribute_id = {{ loop.index0 | literal }}
    AND {{ nth("bin", loop) }}.code = coded.{{ nth("ppdt_code", loop) }}
{% endfor %};
