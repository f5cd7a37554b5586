-- methods/node_risk/people.sql: how many people have rows in and below every node.
--
-- in:      ppdt_unit_protected (unit_id, kind, protected_key), units being cells; ppdt_leaf (cell_id, leaf_id);
--          ppdt_above (node_id, above_id)
-- out:     ppdt_people (node_id, n_people)
--          one row per node that holds rows
-- keeps:   people are different entities; rows without one count as one, all together
SELECT
    above.above_id AS node_id,
    count(DISTINCT held.protected_key) + max(CAST(held.protected_key IS NULL AS INTEGER)) AS n_people
FROM ppdt_unit_protected AS held
INNER JOIN ppdt_leaf AS leaf ON leaf.cell_id = held.unit_id
INNER JOIN ppdt_above AS above ON above.node_id = leaf.leaf_id
WHERE held.kind = {{ kind | literal }}
GROUP BY above.above_id;
