-- methods/tiers/needy.sql: the parts that are too small, and the branch from which each one borrows.
--
-- in:      ppdt_outcome (leaf_id, class_id); ppdt_above (node_id, above_id);
--          ppdt_node_rows (node_id, n_rows)
-- out:     ppdt_needy (part_id, pool_id, n_needed)
--          one row per part with fewer than $k rows
-- params:  $k
-- keeps:   the pool is the lowest node above with $k rows, so it has all that is needed outside the
--          part; nodes that hold as many are one within the other and hold the same rows. It lies at
--          or below the node to which the part was pruned
SELECT
    outcome.leaf_id AS part_id,
    min(pool.n_rows * 2147483648 + pool.node_id) & 2147483647 AS pool_id,
    $k - any_value(own.n_rows) AS n_needed
FROM ppdt_outcome AS outcome
INNER JOIN ppdt_node_rows AS own ON own.node_id = outcome.leaf_id
INNER JOIN ppdt_above AS above ON above.node_id = outcome.leaf_id
INNER JOIN ppdt_above AS inside
    ON inside.node_id = above.above_id AND inside.above_id = outcome.class_id
INNER JOIN ppdt_node_rows AS pool ON pool.node_id = above.above_id
WHERE own.n_rows < $k AND pool.n_rows >= $k
GROUP BY outcome.leaf_id;
