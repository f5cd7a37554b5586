-- tree/belief.sql: how probable every class is in every node of a tree.
--
-- in:      nothing
-- out:     ppdt_belief (node_id, class, probability)
--          one row per (node_id, class) that occurs
-- params:  $node_ids, $classes, $probabilities
SELECT
    unnest(CAST($node_ids AS INTEGER[])) AS node_id,
    unnest(CAST($classes AS INTEGER[])) AS class,
    CAST(unnest(CAST($probabilities AS DOUBLE[])) AS DECIMAL(13, 12)) AS probability;
