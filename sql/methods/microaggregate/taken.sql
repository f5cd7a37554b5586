-- methods/microaggregate/taken.sql: a cluster around every seed: the k rows nearest to it.
--
-- in:      ppdt_ring (part_id, class_id, nearest)
-- out:     ppdt_taken (part_id, class_id, row_id)
--          one row per row of a new cluster
SELECT part_id, class_id, unnest(nearest) & 2147483647 AS row_id
FROM ppdt_ring;
