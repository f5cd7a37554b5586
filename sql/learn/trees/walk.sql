-- learn/trees/walk.sql: the units that walk, where they start.
--
-- in:      ppdt_place (node_id, unit_id, weight); ppdt_under (rest_id, walk_id, start_id, is_newcomer);
--          ppdt_unit (unit_id, target, q<i>)
-- out:     ppdt_walk (walk_id, node_id, branch, is_arrived, unit_id, target, weight, q<i>)
--          one row per unit of a walk
-- keeps:   the parts of a unit with a missing value come together again; of those who rest in the
--          branch already, only these walk
WITH gathered AS (
    SELECT under.walk_id, under.start_id, place.unit_id, CAST(sum(place.weight) AS BIGINT) AS weight
    FROM ppdt_place AS place
    INNER JOIN ppdt_under AS under ON under.rest_id = place.node_id
    INNER JOIN ppdt_unit AS unit ON unit.unit_id = place.unit_id
    WHERE under.is_newcomer{% if has_fractions %} OR NOT ({% include "lib/fragments/complete.sql" %}){% endif %}

    GROUP BY under.walk_id, under.start_id, place.unit_id
)

SELECT
    gathered.walk_id,
    gathered.start_id AS node_id,
    CAST(NULL AS INTEGER) AS branch,
    FALSE AS is_arrived,
    gathered.unit_id,
    unit.target,
    gathered.weight,
{% for attribute in attributes %}
    unit.{{ attribute.code | ident }}{{ comma(loop) }}
{% endfor %}
FROM gathered
INNER JOIN ppdt_unit AS unit ON unit.unit_id = gathered.unit_id;
