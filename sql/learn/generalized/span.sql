-- learn/generalized/span.sql: the codes of an ordered feature's forms: the lowest code of an interval, and how many
-- more it reaches; and whether the value may be unknown as well.
--
-- in:      ppdt_read_<i> (shown, lo, hi, has_null); ppdt_axis_<i> (number)
-- out:     ppdt_code_<i> (code, value)
--          one row per form as it is shown
-- keeps:   0 where nothing is known; an end has 1 and the count of points below it, NULL below all
WITH event AS (
    SELECT DISTINCT number, 0 AS is_point
    FROM (SELECT lo AS number FROM {{ feature.table | ident }} UNION SELECT hi FROM {{ feature.table | ident }}) AS ends
    UNION ALL
    SELECT number, 1
    FROM {{ feature.axis_relation }}
),

counted AS (
    SELECT
        number,
        is_point,
        CAST(1 + sum(is_point) OVER (
            ORDER BY number ASC NULLS FIRST, is_point ASC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS BIGINT) AS code
    FROM event
    WHERE number IS NOT NULL OR is_point = 1
)

SELECT
    CASE
        WHEN low.code IS NULL THEN 0
        ELSE low.code | ((high.code - low.code) << {{ attribute.value_bits | literal }})
            | (CAST(form.has_null AS BIGINT) << {{ (2 * attribute.value_bits) | literal }})
    END AS code,
    form.shown AS value
FROM {{ feature.table | ident }} AS form
LEFT JOIN counted AS low ON low.number = form.lo AND low.is_point = 0
LEFT JOIN counted AS high ON high.number = form.hi AND high.is_point = 0;
