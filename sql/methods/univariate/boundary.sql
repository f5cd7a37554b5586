-- methods/univariate/boundary.sql: where the shortest way enters and leaves the two halves of each block.
--
-- in:      ppdt_boundary (block_id, entry, exit); ppdt_path_<i> (block_id, entry, exit, via) of the same level
-- out:     ppdt_next (block_id, entry, exit)
--          one row per block of the level below
WITH known AS (
    SELECT boundary.block_id, boundary.entry, boundary.exit, path.via
    FROM ppdt_boundary AS boundary
    INNER JOIN {{ below | ident }} AS path
        ON path.block_id = boundary.block_id AND path.entry = boundary.entry AND path.exit = boundary.exit
)

SELECT block_id * 2 AS block_id, entry, CASE WHEN via < 0 THEN exit ELSE via END AS exit
FROM known
UNION ALL
SELECT block_id * 2 + 1, via, exit
FROM known
WHERE via >= 0;
