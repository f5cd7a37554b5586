-- audit/path_test.sql: the tests of a tree, as it was given to the audit.
--
-- in:      nothing
-- out:     ppdt_path_test (node_id, attribute_id, test, tested, child_id)
--          one row per branch
-- params:  $node_ids, $attribute_ids, $tests, $tested_values, $child_ids
SELECT
    unnest(CAST($node_ids AS INTEGER[])) AS node_id,
    unnest(CAST($attribute_ids AS INTEGER[])) AS attribute_id,
    unnest(CAST($tests AS VARCHAR[])) AS test,
    unnest(CAST($tested_values AS VARCHAR[])) AS tested,
    unnest(CAST($child_ids AS INTEGER[])) AS child_id;
