-- line/stop.sql: where the shortest way enters and leaves the two halves of each block.
--
-- in:      ppdt_stop (block_id, entry, exit); ppdt_way_<i> (block_id, entry, exit, via) of the same level
-- out:     ppdt_next (block_id, entry, exit)
--          one row per block of the level below
WITH known AS (
    SELECT stop.block_id, stop.entry, stop.exit, way.via
    FROM ppdt_stop AS stop
    INNER JOIN {{ below | ident }} AS way
        ON way.block_id = stop.block_id AND way.entry = stop.entry AND way.exit = stop.exit
)

SELECT block_id * 2 AS block_id, entry, CASE WHEN via < 0 THEN exit ELSE via END AS exit
FROM known
UNION ALL
SELECT block_id * 2 + 1, via, exit
FROM known
WHERE via >= 0;
