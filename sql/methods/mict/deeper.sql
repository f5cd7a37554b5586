-- methods/mict/deeper.sql: the cells of inner nodes one level down, in groups that share one more attribute.
--
-- in:      ppdt_path_group (cell_id, node_id, group_id, q<i>); ppdt_inner (node_id, attribute_id, at_code);
--          ppdt_leads (node_id, branch, child_id)
-- out:     ppdt_deeper (cell_id, node_id, group_id, q<i>)
--          one row per cell that was in an inner node
-- params:  $last_group
-- keeps:   a group shares the values of all attributes on its path, the virtual quasi-identifier of its node; an
--          attribute that is tested again divides no group again; groups of all levels have numbers of their own
-- paper:   Chettri, Ray: VQID_i
WITH placed AS (
    SELECT
        walk.cell_id,
        walk.node_id,
        walk.group_id,
        {%+ with table = "walk" %}{% include "lib/fragments/branch.sql" %}{% endwith %} AS branch,
        CASE cut.attribute_id
{% for attribute in attributes %}
            WHEN {{ attribute.position | literal }} THEN walk.{{ attribute.code | ident }}
{% endfor %}
        END AS tested_code{% for attribute in attributes %},
        walk.{{ attribute.code | ident }}{% endfor %}

    FROM ppdt_path_group AS walk
    INNER JOIN ppdt_inner AS cut ON cut.node_id = walk.node_id
)

SELECT
    placed.cell_id,
    leads.child_id AS node_id,
    dense_rank() OVER (ORDER BY placed.group_id ASC, placed.tested_code ASC) + CAST($last_group AS BIGINT) AS group_id,
{% for attribute in attributes %}
    placed.{{ attribute.code | ident }}{{ comma(loop) }}
{% endfor %}
FROM placed
INNER JOIN ppdt_leads AS leads
    ON leads.node_id = placed.node_id AND leads.branch = placed.branch;
