-- learn/kadet/divided.sql: the span of every unit after the splits of a turn: each span of a node that is split on
-- a public attribute is divided by it, also its rows elsewhere in the tree.
--
-- in:      ppdt_population (unit_id, span_id, target, weight, q<i>); ppdt_meeting (span_id, node_id);
--          ppdt_choice (node_id, attribute_id, at_code); ppdt_branch (node_id, branch)
-- out:     ppdt_divided (unit_id, span_id, from_id, side, target, weight, q<i>)
--          one row per unit of a span that reaches an open node
-- params:  $public_ids
-- keeps:   no span reaches two nodes that are split in one turn; side is -3 where nothing divides, -2 for
--          all values that the node has no branch for: they cannot be told apart there
WITH split AS (
    SELECT meeting.span_id, cut.node_id, cut.attribute_id, cut.at_code
    FROM ppdt_meeting AS meeting
    INNER JOIN ppdt_choice AS cut ON cut.node_id = meeting.node_id
    WHERE list_contains($public_ids, cut.attribute_id)
),

placed AS (
    SELECT
        population.unit_id,
        population.span_id AS from_id,
        cut.node_id,
        {%+ with table = "population" %}{% include "lib/fragments/branch.sql" %}{% endwith %} AS branch
    FROM ppdt_population AS population
    SEMI JOIN ppdt_meeting AS meeting ON meeting.span_id = population.span_id
    LEFT JOIN split AS cut ON cut.span_id = population.span_id
),

sided AS (
    SELECT
        placed.unit_id,
        placed.from_id,
        CAST(CASE WHEN placed.node_id IS NULL THEN -3 ELSE coalesce(branch.branch, -2) END AS INTEGER) AS side
    FROM placed
    LEFT JOIN ppdt_branch AS branch
        ON branch.node_id = placed.node_id AND branch.branch = placed.branch
),

numbered AS (
    SELECT from_id, side, row_number() OVER (ORDER BY from_id ASC, side ASC) AS span_id
    FROM sided
    GROUP BY from_id, side
)

SELECT sided.unit_id, numbered.span_id, sided.from_id, sided.side, population.target, population.weight,
{% for attribute in attributes %}
    population.{{ attribute.code | ident }}{{ comma(loop) }}
{% endfor %}
FROM sided
INNER JOIN numbered ON numbered.from_id = sided.from_id AND numbered.side = sided.side
INNER JOIN ppdt_population AS population ON population.unit_id = sided.unit_id;
