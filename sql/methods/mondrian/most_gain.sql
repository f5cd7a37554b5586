-- methods/mondrian/most_gain.sql: for each node, the allowed cut of the highest gain, if that is positive.
--
-- in:      ppdt_gain (node_id, attribute_id, at_code, gain)
-- out:     ppdt_cut (node_id, attribute_id, at_code)
--          one row per node that has an allowed cut of positive gain
-- keeps:   equal gains: the attribute that comes first, then the lower code
WITH ranked AS (
    SELECT
        node_id,
        attribute_id,
        at_code,
        row_number() OVER (
            PARTITION BY node_id ORDER BY gain DESC, attribute_id ASC, at_code ASC
        ) AS place
    FROM ppdt_gain
    WHERE gain > 0
)

SELECT node_id, attribute_id, at_code
FROM ranked
WHERE place = 1;
