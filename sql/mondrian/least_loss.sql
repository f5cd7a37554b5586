-- mondrian/least_loss.sql: for each node, the balanced cut whose sides lose least.
--
-- in:      ppdt_balance (node_id, attribute_id, at_code); ppdt_loss (node_id, attribute_id, loss)
-- out:     ppdt_cut (node_id, attribute_id, at_code)
--          one row per node that has an allowed cut
-- keeps:   equal losses: the attribute that comes first
WITH ranked AS (
    SELECT
        balance.node_id,
        balance.attribute_id,
        balance.at_code,
        row_number() OVER (
            PARTITION BY balance.node_id ORDER BY loss.loss ASC, balance.attribute_id ASC
        ) AS place
    FROM ppdt_balance AS balance
    INNER JOIN ppdt_loss AS loss
        ON loss.node_id = balance.node_id AND loss.attribute_id = balance.attribute_id
)

SELECT node_id, attribute_id, at_code
FROM ranked
WHERE place = 1;
