-- methods/node_risk/branch_risk.sql: the risks of every node beside those of the branch below it.
--
-- in:      ppdt_node_risk (node_id, n_rows, n_wrong, big, icr, risk); ppdt_above (node_id, above_id);
--          ppdt_way (parent_id)
-- out:     ppdt_branch_risk (node_id, n_rows, n_wrong, big, icr, risk, branch_risk, branch_wrong, omega)
--          one row per node
-- keeps:   a branch has the least risk of its leaves that hold rows; a leaf, a node without rows, and one
--          whose branch errs no less have no omega; risks and omega count trillionths
-- paper:   Yang, Wang, Hu, Li 2019, definitions 5, 6B and 7
WITH branch AS (
    SELECT
        above.above_id AS node_id,
        min(leaf.risk) AS branch_risk,
        CAST(sum(leaf.n_wrong) AS BIGINT) AS branch_wrong
    FROM ppdt_node_risk AS leaf
    ANTI JOIN ppdt_way AS way ON way.parent_id = leaf.node_id
    INNER JOIN ppdt_above AS above ON above.node_id = leaf.node_id
    GROUP BY above.above_id
)

SELECT
    node.node_id,
    node.n_rows,
    node.n_wrong,
    node.big,
    node.icr,
    node.risk,
    branch.branch_risk,
    branch.branch_wrong,
    CAST(floor(
        CAST(node.risk - branch.branch_risk AS DOUBLE) / nullif(node.n_wrong - branch.branch_wrong, 0) + 0.5
    ) AS BIGINT) AS omega
FROM ppdt_node_risk AS node
INNER JOIN branch ON branch.node_id = node.node_id
ORDER BY node.node_id ASC;
