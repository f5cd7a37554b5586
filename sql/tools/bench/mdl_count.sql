-- tools/bench/mdl_count.sql: how often each value of a number goes with each class; one part to begin with.
--
-- in:      the source
-- out:     ppdt_mdl_count (attribute_id, part, code, target, weight)
--          one row per (attribute_id, code, target) that occurs
-- keeps:   a weight counts millionths of a row; NULL is in no part
-- paper:   Fayyad and Irani 1993
{% for column in columns %}
SELECT
    {{ loop.index0 | literal }} AS attribute_id,
    CAST(0 AS BIGINT) AS part,
    coded.code,
    coded.target,
    CAST(count(*) * 1000000 AS BIGINT) AS weight
FROM (
    SELECT
        dense_rank() OVER (ORDER BY source.{{ column | ident }} ASC) AS code,
        dense_rank() OVER (ORDER BY source.{{ goal | ident }} ASC) AS target
    FROM {{ source }} AS source
    WHERE source.{{ column | ident }} IS NOT NULL AND source.{{ goal | ident }} IS NOT NULL
) AS coded
GROUP BY coded.code, coded.target
{% if not loop.last %}
UNION ALL
{% endif %}
{% endfor %};
