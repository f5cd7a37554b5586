-- methods/univariate/segment.sql: the shortest ways through blocks of $k nodes: at most one segment starts in each.
--
-- in:      ppdt_sorted_point (place, row_id, step, total, squares)
-- out:     ppdt_segment (block_id, entry, exit, via, length)
--          one row per way (block_id, entry, exit)
-- params:  $k, $n_blocks, $n_rows, $fine, $mask
-- keeps:   a length is $fine ($mask + 1) times the SSE of $k to 2 $k - 1 rows, its last bits 0
-- paper:   Hansen and Mukherjee 2003, the weights of the arcs
WITH segment AS (
    SELECT
        (start.place - 1) // $k AS block_id,
        (start.place - 1) % $k AS entry,
        start.size - $k + (start.place - 1) % $k AS exit,
        CAST(start.size AS HUGEINT) AS size,
        goal.total - start.total + start.step AS total,
        goal.squares - start.squares + start.step * start.step AS squares
    FROM (
        SELECT place, step, total, squares, unnest(range($k, 2 * $k)) AS size
        FROM ppdt_sorted_point
    ) AS start
    INNER JOIN ppdt_sorted_point AS goal ON goal.place = start.place + start.size - 1
),

over AS (
    SELECT block.block_id, node.entry
    FROM (SELECT unnest(range(1, $n_blocks)) AS block_id) AS block
    CROSS JOIN (SELECT unnest(range($k, 2 * $k - 1)) AS entry) AS node
    WHERE block.block_id * $k + node.entry <= $n_rows
)

SELECT
    CAST(block_id AS INTEGER) AS block_id,
    CAST(entry AS INTEGER) AS entry,
    CAST(exit AS INTEGER) AS exit,
    CAST(-1 AS INTEGER) AS via,
    (size * squares - total * total) * CAST($fine AS HUGEINT) // size * CAST($mask + 1 AS HUGEINT) AS length
FROM segment
WHERE block_id < $n_blocks AND (block_id > 0 OR entry = 0)
UNION ALL
SELECT
    CAST(block_id AS INTEGER),
    CAST(entry AS INTEGER),
    CAST(entry - $k AS INTEGER),
    CAST(-1 AS INTEGER),
    CAST(0 AS HUGEINT)
FROM over;
