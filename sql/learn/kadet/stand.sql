-- learn/kadet/stand.sql: where in the whole table the thresholds stand that nodes may take. On a public number at
-- the largest value not above the midpoint, as in C4.5; on a private one only at the border of a group.
--
-- in:      ppdt_running (attribute_id, at_code, next_code);
--          ppdt_axis (attribute_id, code, n_steps, slack, place)
-- out:     ppdt_stand (attribute_id, at_code, next_code, stand_code)
--          one row per pair of neighbours in a node; private ones only with a border between them
WITH pair AS (
    SELECT attribute_id, at_code, next_code
    FROM ppdt_running
    GROUP BY attribute_id, at_code, next_code
),

asked AS (
    SELECT pair.attribute_id, pair.at_code, pair.next_code,
        coalesce(low.n_steps + high.n_steps + high.slack, CAST(pair.next_code - 1 AS HUGEINT)) AS place
    FROM pair
    LEFT JOIN ppdt_axis AS low ON low.attribute_id = pair.attribute_id AND low.code = pair.at_code
    LEFT JOIN ppdt_axis AS high ON high.attribute_id = pair.attribute_id AND high.code = pair.next_code
)

SELECT asked.attribute_id, asked.at_code, asked.next_code,
    CAST(least(axis.code, asked.next_code - 1) AS INTEGER) AS stand_code
FROM asked
ASOF JOIN ppdt_axis AS axis
    ON axis.attribute_id = asked.attribute_id AND asked.place >= axis.place
WHERE axis.code >= asked.at_code;
