-- learn/kadet/entered.sql: the units of the nodes that the splits at hand lead to.
--
-- in:      ppdt_resting (node_id, unit_id); ppdt_choice (node_id, attribute_id, at_code);
--          ppdt_unit (unit_id, target, weight, q<i>); ppdt_branch (node_id, branch, child_id)
-- out:     ppdt_growing (node_id, unit_id, target, weight, q<i>)
--          one row per unit
WITH placed AS (
    SELECT
        cut.node_id,
        {%+ with table = "unit" %}{% include "lib/fragments/branch.sql" %}{% endwith %} AS branch,
        unit.unit_id,
        unit.target,
        unit.weight,
{% for attribute in attributes %}
        unit.{{ attribute.code | ident }}{{ comma(loop) }}
{% endfor %}
    FROM ppdt_resting AS resting
    INNER JOIN ppdt_choice AS cut ON cut.node_id = resting.node_id
    INNER JOIN ppdt_unit AS unit ON unit.unit_id = resting.unit_id
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
    ON branch.node_id = placed.node_id AND branch.branch = placed.branch;
