-- learn/trees/walked.sql: walks down to their ends, in one query; where no value is missing, a unit takes one
-- way only.
--
-- in:      ppdt_walk (walk_id, node_id, unit_id, target, weight, q<i>);
--          ppdt_inner (node_id, attribute_id, at_code); ppdt_leads (node_id, branch, child_id)
-- out:     ppdt_walked (walk_id, node_id, branch, unit_id, target, weight)
--          one row per unit of a walk
-- keeps:   branch is NULL in a leaf, and else what had no branch to take
WITH RECURSIVE walker AS (
    SELECT walk_id, node_id, branch, unit_id, target, weight{% for attribute in attributes %},
        {{ attribute.code | ident }}{% endfor %}

    FROM ppdt_walk
    UNION ALL
    SELECT
        walker.walk_id,
        coalesce(leads.child_id, walker.node_id) AS node_id,
        CASE
            WHEN leads.child_id IS NULL THEN
                {%+ with table = "walker" %}{% include "lib/fragments/branch.sql" %}{% endwith %}

        END AS branch,
        walker.unit_id,
        walker.target,
        walker.weight{% for attribute in attributes %},
        walker.{{ attribute.code | ident }}{% endfor %}

    FROM walker
    INNER JOIN ppdt_inner AS cut ON cut.node_id = walker.node_id
    LEFT JOIN ppdt_leads AS leads
        ON leads.node_id = walker.node_id
        AND leads.branch = {% with table = "walker" %}{% include "lib/fragments/branch.sql" %}{% endwith %}

    WHERE walker.branch IS NULL
)

SELECT
    walker.walk_id,
    walker.node_id,
    walker.branch,
    walker.unit_id,
    walker.target,
    walker.weight
FROM walker
LEFT JOIN ppdt_inner AS cut ON cut.node_id = walker.node_id
WHERE walker.branch IS NOT NULL OR cut.node_id IS NULL;
