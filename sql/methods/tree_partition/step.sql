-- methods/tree_partition/step.sql: every cell one step down the tree; cells in leaves, or without a branch, are gone.
--
-- in:      ppdt_descent (cell_id, node_id, q<i>); ppdt_inner (node_id, attribute_id, at_code);
--          ppdt_leads (node_id, branch, child_id)
-- out:     ppdt_next_descent (cell_id, node_id, q<i>)
--          one row per cell that found a branch
WITH placed AS (
    SELECT
        walk.cell_id,
        walk.node_id,
        {%+ with table = "walk" %}{% include "lib/fragments/branch.sql" %}{% endwith %} AS branch{% for attribute in attributes %},
        walk.{{ attribute.code | ident }}{% endfor %}

    FROM ppdt_descent AS walk
    INNER JOIN ppdt_inner AS cut ON cut.node_id = walk.node_id
)

SELECT
    placed.cell_id,
    leads.child_id AS node_id,
{% for attribute in attributes %}
    placed.{{ attribute.code | ident }}{{ comma(loop) }}
{% endfor %}
FROM placed
INNER JOIN ppdt_leads AS leads
    ON leads.node_id = placed.node_id AND leads.branch = placed.branch;
