-- erp/outcome.sql: the class that every leaf of the unpruned tree becomes a part of.
--
-- in:      nothing
-- out:     ppdt_outcome (leaf_id, class_id)
--          one row per leaf of the unpruned tree
-- params:  $leaf_ids, $class_ids
-- keeps:   a class is a leaf of the pruned tree: its class_id is that node's, in the unpruned tree's count
SELECT
    unnest(CAST($leaf_ids AS INTEGER[])) AS leaf_id,
    unnest(CAST($class_ids AS INTEGER[])) AS class_id;
