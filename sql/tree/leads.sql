-- tree/leads.sql: where the branches of a tree lead, and how its own rows were spread on them.
--
-- in:      nothing
-- out:     ppdt_leads (node_id, branch, child_id, weight)
--          one row per branch
-- params:  $node_ids, $branches, $child_ids, $weights
SELECT
    unnest(CAST($node_ids AS INTEGER[])) AS node_id,
    unnest(CAST($branches AS INTEGER[])) AS branch,
    unnest(CAST($child_ids AS INTEGER[])) AS child_id,
    unnest(CAST($weights AS BIGINT[])) AS weight;
