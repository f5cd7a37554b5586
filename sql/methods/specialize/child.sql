-- methods/specialize/child.sql: where the candidates of one attribute would send its codes.
--
-- in:      ppdt_fork (attribute_id, node_id, child_id, code)
-- out:     ppdt_child_<i> (code, node_id, child_id)
--          one row per code below a candidate
-- params:  $node_ids
SELECT fork.code, fork.node_id, fork.child_id
FROM ppdt_fork AS fork
INNER JOIN (SELECT unnest(CAST($node_ids AS INTEGER[])) AS node_id) AS candidate
    ON candidate.node_id = fork.node_id
WHERE fork.attribute_id = {{ attribute.position | literal }};
