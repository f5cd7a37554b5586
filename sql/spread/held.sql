-- spread/held.sql: the codes of the members of every form of a nominal feature.
--
-- in:      ppdt_read_<i> (shown, members, has_null); ppdt_axis_<i> (code, value)
-- out:     ppdt_held (shown, codes)
--          one row per form as it is shown
-- keeps:   0 is the unknown value, 1 a member that the axis does not know
WITH exploded AS (
    SELECT shown, unnest(members) AS value, FALSE AS is_null
    FROM {{ feature.table | ident }}
    UNION ALL
    SELECT shown, NULL, TRUE
    FROM {{ feature.table | ident }}
    WHERE has_null
)

SELECT
    exploded.shown,
    list(
        CASE WHEN exploded.is_null THEN 0 ELSE coalesce(name.code, 1) END
        ORDER BY CASE WHEN exploded.is_null THEN 0 ELSE coalesce(name.code, 1) END ASC
    ) AS codes
FROM exploded
LEFT JOIN {{ ("ppdt_axis_%d" % feature.position) | ident }} AS name
    ON name.value = exploded.value COLLATE "binary"
GROUP BY exploded.shown;
