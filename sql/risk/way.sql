-- risk/way.sql: every node of a tree, the node above it, and the test that leads from there.
--
-- in:      nothing
-- out:     ppdt_way (node_id, parent_id, attribute_id, test, tested)
--          one row per node; the root has no parent and no test
-- params:  $node_ids, $parent_ids, $attribute_ids, $tests, $tested
SELECT
    unnest(CAST($node_ids AS INTEGER[])) AS node_id,
    unnest(CAST($parent_ids AS INTEGER[])) AS parent_id,
    unnest(CAST($attribute_ids AS INTEGER[])) AS attribute_id,
    unnest(CAST($tests AS VARCHAR[])) AS test,
    unnest(CAST($tested AS VARCHAR[])) AS tested;
