-- methods/mondrian/level.sql: what is left to do, for the driver and the progress bar.
--
-- in:      ppdt_span (node_id); ppdt_turn (node_id)
-- out:     ppdt_level (n_nodes, n_cuts)
--          one row
SELECT
    (SELECT count(*) FROM ppdt_span) AS n_nodes,
    (SELECT count(*) FROM ppdt_turn) AS n_cuts;
