-- methods/mondrian/least_loss.sql: for each node, the cut whose sides lose least.
--
-- in:      ppdt_loss (node_id, attribute_id, at_code, loss)
-- out:     ppdt_cut (node_id, attribute_id, at_code)
--          one row per node that has an allowed cut
-- keeps:   equal losses: the attribute that comes first, then the lower code
WITH ranked AS (
    SELECT
        node_id,
        attribute_id,
        at_code,
        row_number() OVER (
            PARTITION BY node_id ORDER BY loss ASC, attribute_id ASC, at_code ASC
        ) AS place
    FROM ppdt_loss
)

SELECT node_id, attribute_id, at_code
FROM ranked
WHERE place = 1;
