-- spread/piece.sql: divide the generalized values that are tested now: each piece goes one way.
--
-- in:      ppdt_open (node_id, unit_id, target, weight, q<i>), or ppdt_walk with walk_id, branch and is_arrived;
--          ppdt_cut or ppdt_inner (node_id, attribute_id, at_code); ppdt_set_<i> (code, member, place, n_members)
-- out:     ppdt_piece (node_id, unit_id, target, weight, q<i>)
--          one row per unit of a node and way that it may go; while a tree grows, pieces of a node that
--          are equal in class and codes are one row, and leaves are gone
-- keeps:   the pieces of a unit add up to its weight, exactly
WITH tested AS (
    SELECT {% with table = "open" %}{% include "form/carried.sql" %}{% endwith %},
        open.weight, cut.attribute_id, cut.at_code{% for one in attributes %}, open.{{ one.code | ident }}{% endfor %}

    FROM {% if is_walk %}ppdt_walk{% else %}ppdt_open{% endif %} AS open
    {% if is_walk %}LEFT JOIN ppdt_inner{% else %}INNER JOIN ppdt_cut{% endif %} AS cut ON cut.node_id = open.node_id
){% for attribute in spans %},

{{ ("range_%d" % attribute.position) | ident }} AS (
    SELECT {% with table = "tested" %}{% include "form/carried.sql" %}{% endwith %}, tested.weight{% for one in attributes %}, tested.{{ one.code | ident }}{% endfor %},
        tested.{{ attribute.code | ident }} & {{ attribute.value_mask | literal }} AS lo,
        ((tested.{{ attribute.code | ident }} >> {{ attribute.value_bits | literal }}) & {{ attribute.value_mask | literal }}) + 1 AS n_values,
        tested.{{ attribute.code | ident }} >> {{ (2 * attribute.value_bits) | literal }} AS n_null,
        greatest(0, least(tested.at_code - (tested.{{ attribute.code | ident }} & {{ attribute.value_mask | literal }}) + 1,
            ((tested.{{ attribute.code | ident }} >> {{ attribute.value_bits | literal }}) & {{ attribute.value_mask | literal }}) + 1)) AS n_left
    FROM tested
    WHERE tested.attribute_id = {{ attribute.position | literal }} AND tested.{{ attribute.code | ident }} > {{ attribute.value_mask | literal }}
),

{{ ("piece_%d" % attribute.position) | ident }} AS (
    SELECT {% with table = "whole" %}{% include "form/carried.sql" %}{% endwith %}{% for one in attributes %}, whole.{{ one.code | ident }}{% endfor %},
        {% include "form/part_of_range.sql" %}

    FROM {{ ("range_%d" % attribute.position) | ident }} AS whole
    CROSS JOIN (SELECT unnest([0, 1, 2]) AS side) AS way
){% endfor %}
{% if not is_walk %},

piece AS ({% endif %}

SELECT {% with table = "tested" %}{% include "form/carried.sql" %}{% endwith %}, tested.weight{% for one in attributes %}, tested.{{ one.code | ident }}{% endfor %}

FROM tested
WHERE {% for attribute in spans + sets %}(tested.attribute_id IS DISTINCT FROM {{ attribute.position | literal }} OR tested.{{ attribute.code | ident }} <= {{ attribute.value_mask | literal }})
    {% if not loop.last %}AND {% endif %}{% endfor %}

{% for attribute in spans %}
UNION ALL
SELECT {% with table = "piece" %}{% include "form/carried.sql" %}{% endwith %}, piece.part_weight{% for one in attributes %}, piece.{% if one.position == attribute.position %}part_code{% else %}{{ one.code | ident }}{% endif %}{% endfor %}

FROM {{ ("piece_%d" % attribute.position) | ident }} AS piece
WHERE piece.part_weight > 0
{% endfor %}
{% for attribute in sets %}
UNION ALL
SELECT {% with table = "tested" %}{% include "form/carried.sql" %}{% endwith %}, {% include "form/part_of_set.sql" %}{% for one in attributes %}, {% if one.position == attribute.position %}part.member{% else %}tested.{{ one.code | ident }}{% endif %}{% endfor %}

FROM tested
INNER JOIN {{ ("ppdt_set_%d" % attribute.position) | ident }} AS part ON part.code = tested.{{ attribute.code | ident }}
WHERE tested.attribute_id = {{ attribute.position | literal }} AND {% include "form/part_of_set.sql" %} > 0
{% endfor %}{% if not is_walk %})

SELECT node_id, min(unit_id) AS unit_id, target, CAST(sum(weight) AS BIGINT) AS weight{% for one in attributes %}, {{ one.code | ident }}{% endfor %}

FROM piece
GROUP BY node_id, target{% for one in attributes %}, {{ one.code | ident }}{% endfor %}
{% endif %};
