-- learn/kadet/way.sql: the branches that rows of the nodes at hand take, with numbers for the nodes that they lead to.
--
-- in:      ppdt_resting (node_id, unit_id); ppdt_choice (node_id, attribute_id, at_code); ppdt_unit (unit_id, q<i>)
-- out:     ppdt_branch (node_id, branch, child_id)
--          one row per (node_id, branch)
-- params:  $n_nodes
WITH taken AS (
    SELECT
        cut.node_id,
        {%+ with table = "unit" %}{% include "lib/fragments/branch.sql" %}{% endwith %} AS branch
    FROM ppdt_resting AS resting
    INNER JOIN ppdt_choice AS cut ON cut.node_id = resting.node_id
    INNER JOIN ppdt_unit AS unit ON unit.unit_id = resting.unit_id
)

SELECT
    node_id,
    branch,
    CAST($n_nodes + row_number() OVER (ORDER BY node_id ASC, branch ASC) - 1 AS INTEGER) AS child_id
FROM taken
GROUP BY node_id, branch;
