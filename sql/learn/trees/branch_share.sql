-- learn/trees/branch_share.sql: how the units with a known value spread on the branches of every node of a walk:
-- those who walk, and those who rest there already.
--
-- in:      ppdt_walk (walk_id, node_id, is_arrived, weight, q<i>); ppdt_inner (node_id, attribute_id, at_code);
--          ppdt_leads (node_id, branch, child_id, weight)
-- out:     ppdt_branch_share (walk_id, node_id, branch, child_id, weight, weight_before, weight_known)
--          one row per (walk_id, node_id, branch); child_id is NULL where no branch was yet
WITH taken AS (
    SELECT
        walk.walk_id,
        walk.node_id,
        {%+ with table = "walk" %}{% include "lib/fragments/branch.sql" %}{% endwith %} AS branch,
        walk.weight
    FROM ppdt_walk AS walk
    INNER JOIN ppdt_inner AS cut ON cut.node_id = walk.node_id
    WHERE NOT walk.is_arrived
),

known AS (
    SELECT walk_id, node_id, branch, weight
    FROM taken
    WHERE branch >= 0
    UNION ALL
    SELECT visited.walk_id, leads.node_id, leads.branch, leads.weight
    FROM (SELECT DISTINCT walk_id, node_id FROM taken) AS visited
    INNER JOIN ppdt_leads AS leads ON leads.node_id = visited.node_id
),

summed AS (
    SELECT walk_id, node_id, branch, CAST(sum(weight) AS BIGINT) AS weight
    FROM known
    GROUP BY walk_id, node_id, branch
)

SELECT
    summed.walk_id,
    summed.node_id,
    summed.branch,
    leads.child_id,
    summed.weight,
    CAST(sum(summed.weight) OVER (
        PARTITION BY summed.walk_id, summed.node_id ORDER BY summed.branch ASC
    ) - summed.weight AS BIGINT) AS weight_before,
    CAST(sum(summed.weight) OVER (PARTITION BY summed.walk_id, summed.node_id) AS BIGINT)
        AS weight_known
FROM summed
LEFT JOIN ppdt_leads AS leads
    ON leads.node_id = summed.node_id AND leads.branch = summed.branch;
