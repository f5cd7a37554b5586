-- learn/kadet/divided.sql: the spans that the splits at hand divide, in parts: also their rows elsewhere in the tree.
--
-- in:      ppdt_population (unit_id, span_id, target, weight, q<i>); ppdt_meeting (span_id, scope_id);
--          ppdt_division (node_id, scope_id); ppdt_choice (node_id, attribute_id, at_code);
--          ppdt_span_extent (span_id, attribute_id, lo_code, hi_code); ppdt_attribute (attribute_id, n_special);
--          ppdt_branch (node_id, branch)
-- out:     ppdt_divided (unit_id, span_id, from_id, side, target, weight, q<i>)
--          one row per unit of a span that is divided; only the public attributes
-- params:  $first_span
-- keeps:   no span is divided by two splits of one turn (`linked`), or its rows would count twice; side is -2 for
--          all values that the node has no branch for: they cannot be told apart there
WITH split AS (
    SELECT meeting.span_id, cut.node_id, cut.attribute_id, cut.at_code
    FROM ppdt_meeting AS meeting
    INNER JOIN ppdt_division AS division ON division.scope_id = meeting.scope_id
    INNER JOIN ppdt_choice AS cut ON cut.node_id = division.node_id
    INNER JOIN ppdt_attribute AS attribute ON attribute.attribute_id = cut.attribute_id
    INNER JOIN ppdt_span_extent AS extent
        ON extent.span_id = meeting.span_id AND extent.attribute_id = cut.attribute_id
    WHERE {% with cut = "cut" %}{% include "lib/fragments/divides.sql" %}{% endwith %}

),

placed AS (
    SELECT
        population.unit_id, population.span_id AS from_id, cut.node_id,
        {%+ with table = "population", attributes = public %}{% include "lib/fragments/branch.sql" %}{% endwith %} AS branch,
        population.target, population.weight{% for attribute in public %},
        population.{{ attribute.code | ident }}{% endfor %}

    FROM ppdt_population AS population
    INNER JOIN split AS cut ON cut.span_id = population.span_id
),

sided AS (
    SELECT
        placed.unit_id, placed.from_id,
        CAST(coalesce(branch.branch, -2) AS INTEGER) AS side,
        placed.target, placed.weight{% for attribute in public %},
        placed.{{ attribute.code | ident }}{% endfor %}

    FROM placed
    LEFT JOIN ppdt_branch AS branch
        ON branch.node_id = placed.node_id AND branch.branch = placed.branch
),

numbered AS (
    SELECT from_id, side,
        $first_span + row_number() OVER (ORDER BY from_id ASC, side ASC) - 1 AS span_id
    FROM sided
    GROUP BY from_id, side
)

SELECT
    sided.unit_id,
    CAST(numbered.span_id AS BIGINT) AS span_id,
    sided.from_id,
    sided.side,
    sided.target,
    sided.weight{% for attribute in public %},
    sided.{{ attribute.code | ident }}{% endfor %}

FROM sided
INNER JOIN numbered ON numbered.from_id = sided.from_id AND numbered.side = sided.side;
