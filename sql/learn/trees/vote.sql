-- learn/trees/vote.sql: the class that the leaves where a combination arrived make most probable.
--
-- in:      ppdt_arrived (node_id, unit_id, weight); ppdt_belief (node_id, class, probability)
-- out:     ppdt_vote (unit_id, prediction)
--          one row per combination
-- params:  $labels, $tie_sign
-- keeps:   equal votes: the class that comes first, or last where the sign is minus
WITH vote AS (
    SELECT
        arrived.unit_id,
        belief.class,
        sum(CAST(arrived.weight AS DECIMAL(25, 0)) * belief.probability) AS votes
    FROM ppdt_arrived AS arrived
    INNER JOIN ppdt_belief AS belief ON belief.node_id = arrived.node_id
    GROUP BY arrived.unit_id, belief.class
),

ranked AS (
    SELECT
        unit_id,
        class,
        row_number() OVER (PARTITION BY unit_id ORDER BY votes DESC, $tie_sign * class ASC) AS place
    FROM vote
)

SELECT unit_id, list_extract($labels, class + 1) AS prediction
FROM ranked
WHERE place = 1;
