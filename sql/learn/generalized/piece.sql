-- learn/generalized/piece.sql: divide the generalized values that are tested now: each piece goes one way.
--
-- in:      ppdt_growing (node_id, unit_id, target, weight, q<i>), or ppdt_walk with walk_id, branch and is_arrived;
--          ppdt_choice or ppdt_inner (node_id, attribute_id, at_code); ppdt_form_member_<i> (code, member, place, n_members)
-- out:     ppdt_piece (node_id, unit_id, target, weight, q<i>)
--          one row per unit of a node and way that it may go; while a tree grows, pieces of a node that
--          are equal in class and codes are one row, and leaves are gone
-- keeps:   the pieces of a unit add up to its weight, exactly: the last one takes what does not divide
{% set carried = ["walk_id", "node_id", "branch", "is_arrived", "unit_id", "target"] if is_walk else ["node_id", "unit_id", "target"] %}
WITH tested AS (
    SELECT
        {%+ for name in carried %}open.{{ name | ident }}, {% endfor %}open.weight,
        {%+ for one in attributes %}open.{{ one.code | ident }}, {% endfor %}cut.attribute_id, cut.at_code
    FROM {% if is_walk %}ppdt_walk{% else %}ppdt_growing{% endif %} AS open
    {%+ if is_walk %}LEFT JOIN ppdt_inner{% else %}INNER JOIN ppdt_choice{% endif %} AS cut ON cut.node_id = open.node_id
)
{%- for attribute in spans %},

{% include "lib/fragments/pieces_of_range.sql" %}
{%- endfor %}
{%- if not is_walk %},

piece AS (
{% endif %}

SELECT {% for name in carried %}{{ name | ident }}, {% endfor %}weight{% for one in attributes %}, {{ one.code | ident }}{% endfor %}

FROM tested
WHERE {% for attribute in spans + sets %}(attribute_id IS DISTINCT FROM {{ attribute.position | literal }} OR {{ attribute.code | ident }} <= {{ attribute.value_mask | literal }})
    {%+ if not loop.last %}AND {% endif %}{% endfor %}

{% for attribute in spans %}
UNION ALL
SELECT {% for name in carried %}{{ name | ident }}, {% endfor %}part_weight{% for one in attributes %}, {% if one.position == attribute.position %}part_code{% else %}{{ one.code | ident }}{% endif %}{% endfor %}

FROM {{ attribute.piece }}
WHERE part_weight > 0
{% endfor %}
{% for attribute in sets %}
UNION ALL
SELECT {% for name in carried %}tested.{{ name | ident }}, {% endfor %}{% include "lib/fragments/part_of_set.sql" %}{% for one in attributes %}, {% if one.position == attribute.position %}part.member{% else %}tested.{{ one.code | ident }}{% endif %}{% endfor %}

FROM tested
INNER JOIN {{ attribute.form_member_relation }} AS part ON part.code = tested.{{ attribute.code | ident }}
WHERE tested.attribute_id = {{ attribute.position | literal }} AND {% include "lib/fragments/part_of_set.sql" %} > 0
{% endfor %}
{% if not is_walk %}
)

SELECT
    node_id, min(unit_id) AS unit_id, target, CAST(sum(weight) AS BIGINT) AS weight{% for one in attributes %}, {{ one.code | ident }}{% endfor %}

FROM piece
GROUP BY node_id, target{% for one in attributes %}, {{ one.code | ident }}{% endfor %}

{% endif %};
