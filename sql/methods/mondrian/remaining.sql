-- methods/mondrian/remaining.sql: how many nodes have no cut on what was looked at, and how large they are.
--
-- in:      ppdt_pick (node_id, n_rows); ppdt_cut (node_id)
-- out:     ppdt_remaining (n_nodes, n_rows)
--          one row
SELECT count(*) AS n_nodes, CAST(coalesce(sum(pick.n_rows), 0) AS BIGINT) AS n_rows
FROM ppdt_pick AS pick
ANTI JOIN ppdt_cut AS cut ON cut.node_id = pick.node_id;
