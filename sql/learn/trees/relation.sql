-- learn/trees/relation.sql: a tree as a relation of its nodes.
--
-- in:      nothing
-- out:     ppdt_relation (node_id, parent_id, depth, path_test, path_value, attribute, prediction, weight, share)
--          one row per node; path_test and path_value lead to it from its parent
-- params:  $node_ids, $parent_ids, $depths, $tests, $path_values, $attributes, $predictions, $weights,
--          $shares
SELECT
    unnest(CAST($node_ids AS INTEGER[])) AS node_id,
    unnest(CAST($parent_ids AS INTEGER[])) AS parent_id,
    unnest(CAST($depths AS INTEGER[])) AS depth,
    unnest(CAST($tests AS VARCHAR[])) AS path_test,
    unnest(CAST($path_values AS VARCHAR[])) AS path_value,
    unnest(CAST($attributes AS VARCHAR[])) AS attribute,
    unnest(CAST($predictions AS VARCHAR[])) AS prediction,
    unnest(CAST($weights AS DOUBLE[])) AS weight,
    unnest(CAST($shares AS DOUBLE[])) AS share;
