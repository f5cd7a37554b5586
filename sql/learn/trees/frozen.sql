-- learn/trees/frozen.sql: how a missing value spreads on the branches of a tree that has been learnt.
--
-- in:      ppdt_leads (node_id, branch, child_id, weight)
-- out:     ppdt_branch_share (walk_id, node_id, branch, child_id, weight, weight_before, weight_known)
--          one row per branch
SELECT
    CAST(0 AS INTEGER) AS walk_id,
    node_id,
    branch,
    child_id,
    weight,
    CAST(sum(weight) OVER (PARTITION BY node_id ORDER BY branch ASC) - weight AS BIGINT)
        AS weight_before,
    CAST(greatest(sum(weight) OVER (PARTITION BY node_id), 1) AS BIGINT) AS weight_known
FROM ppdt_leads;
