-- learn/trees/descended.sql: carry out the splits of a level; leaves are gone.
--
-- in:      ppdt_growing (node_id, unit_id, target, weight, q<i>); ppdt_choice (node_id, attribute_id, at_code);
--          ppdt_branch (node_id, branch, child_id, weight, weight_before, weight_known)
-- out:     ppdt_descended (node_id, unit_id, target, weight, q<i>)
--          one row per unit of a node that was split; of a missing value, one for every branch
-- keeps:   the parts of a unit add up to its weight, exactly
WITH placed AS (
    SELECT
        open.node_id,
        {%+ with table = "open" %}{% include "lib/fragments/branch.sql" %}{% endwith %} AS branch,
        open.unit_id,
        open.target,
        open.weight,
{% for attribute in attributes %}
        open.{{ attribute.code | ident }}{{ comma(loop) }}
{% endfor %}
    FROM ppdt_growing AS open
    INNER JOIN ppdt_choice AS cut ON cut.node_id = open.node_id
)

SELECT
    branch.child_id AS node_id,
    placed.unit_id,
    placed.target,
    placed.weight,
{% for attribute in attributes %}
    placed.{{ attribute.code | ident }}{{ comma(loop) }}
{% endfor %}
FROM placed
INNER JOIN ppdt_branch AS branch
    ON branch.node_id = placed.node_id AND branch.branch = placed.branch
{% if has_fractions %}
UNION ALL
SELECT
    branch.child_id,
    placed.unit_id,
    placed.target,
    {%+ with share = "branch" %}{% include "lib/fragments/part.sql" %}{% endwith %} AS weight,
{% for attribute in attributes %}
    placed.{{ attribute.code | ident }}{{ comma(loop) }}
{% endfor %}
FROM placed
INNER JOIN ppdt_branch AS branch ON branch.node_id = placed.node_id
WHERE placed.branch = -1 AND {% with share = "branch" %}{% include "lib/fragments/part.sql" %}{% endwith %} > 0
{% endif %};
