-- kactus/pool.sql: the pool in which every leaf's rows are at present.
--
-- in:      nothing
-- out:     ppdt_pool (leaf_id, pool_id)
--          one row per leaf
-- params:  $leaf_ids, $pool_ids
SELECT
    unnest(CAST($leaf_ids AS INTEGER[])) AS leaf_id,
    unnest(CAST($pool_ids AS INTEGER[])) AS pool_id;
