-- learn/trees/moved.sql: one step of every walk; who finds no branch has arrived.
--
-- in:      ppdt_walk (walk_id, node_id, is_arrived, unit_id, target, weight, q<i>);
--          ppdt_inner (node_id, attribute_id, at_code); ppdt_leads (node_id, branch, child_id), or
--          ppdt_branch_share (walk_id, node_id, branch, child_id, weight, weight_before, weight_known)
-- out:     ppdt_moved (walk_id, node_id, branch, is_arrived, unit_id, target, weight, q<i>)
--          one row per unit of a walk; of a missing value, one for every branch
-- keeps:   branch is NULL in a leaf, and else what had no branch to take
WITH placed AS (
    SELECT
        walk.walk_id,
        walk.node_id,
        {%+ with table = "walk" %}{% include "lib/fragments/branch.sql" %}{% endwith %} AS branch,
        walk.unit_id,
        walk.target,
        walk.weight{% for attribute in attributes %},
        walk.{{ attribute.code | ident }}{% endfor %}

    FROM ppdt_walk AS walk
    LEFT JOIN ppdt_inner AS cut ON cut.node_id = walk.node_id
    WHERE NOT walk.is_arrived
)

SELECT
    placed.walk_id,
    coalesce(share.child_id, placed.node_id) AS node_id,
    CASE WHEN share.child_id IS NULL THEN placed.branch END AS branch,
    share.child_id IS NULL AS is_arrived,
    placed.unit_id,
    placed.target,
    placed.weight{% for attribute in attributes %},
    placed.{{ attribute.code | ident }}{% endfor %}

FROM placed
LEFT JOIN {% if has_fractions %}ppdt_branch_share{% else %}ppdt_leads{% endif %} AS share
    ON share.node_id = placed.node_id AND share.branch = placed.branch
{% if has_fractions %}
    AND share.walk_id = placed.walk_id
WHERE placed.branch IS DISTINCT FROM -1
UNION ALL
SELECT
    placed.walk_id,
    coalesce(share.child_id, placed.node_id),
    CASE WHEN share.child_id IS NULL THEN share.branch END,
    share.child_id IS NULL,
    placed.unit_id,
    placed.target,
    {%+ with share = "share" %}{% include "lib/fragments/part.sql" %}{% endwith %} AS weight{% for attribute in attributes %},
    placed.{{ attribute.code | ident }}{% endfor %}

FROM placed
INNER JOIN ppdt_branch_share AS share
    ON share.walk_id = placed.walk_id AND share.node_id = placed.node_id
WHERE placed.branch = -1 AND {% with share = "share" %}{% include "lib/fragments/part.sql" %}{% endwith %} > 0
{% endif %};
