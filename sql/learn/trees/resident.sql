-- learn/trees/resident.sql: the classes of the units in every leaf that stay there when a branch is raised:
-- all whose values are complete.
--
-- in:      ppdt_place (node_id, unit_id, weight); ppdt_unit (unit_id, target, q<i>)
-- out:     ppdt_resident (node_id, target, weight)
--          one row per (node_id, target)
SELECT place.node_id, unit.target, CAST(sum(place.weight) AS BIGINT) AS weight
FROM ppdt_place AS place
INNER JOIN ppdt_unit AS unit ON unit.unit_id = place.unit_id
WHERE {% include "lib/fragments/complete.sql" %}

GROUP BY place.node_id, unit.target
ORDER BY place.node_id ASC, unit.target ASC;
