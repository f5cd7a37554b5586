-- methods/univariate/path.sql: the shortest ways through pairs of neighbouring blocks.
--
-- in:      ppdt_path_<i> (block_id, entry, exit, length) of the level below
-- out:     ppdt_path (block_id, entry, exit, via, length)
--          one row per way (block_id, entry, exit)
-- params:  $last, $mask
-- keeps:   via: the entry of the second block, -1 for a block that has no second; equally short: the
--          lowest one
WITH pair AS (
    SELECT
        one.block_id >> 1 AS block_id,
        one.entry,
        other.exit,
        min(one.length + other.length + other.entry) AS length
    FROM {{ below | ident }} AS one
    INNER JOIN {{ below | ident }} AS other ON other.block_id = one.block_id + 1 AND other.entry = one.exit
    WHERE one.block_id & 1 = 0
    GROUP BY one.block_id, one.entry, other.exit
)

SELECT
    CAST(block_id AS INTEGER) AS block_id,
    entry,
    exit,
    CAST(length & CAST($mask AS HUGEINT) AS INTEGER) AS via,
    length - (length & CAST($mask AS HUGEINT)) AS length
FROM pair
UNION ALL
SELECT CAST(block_id >> 1 AS INTEGER), entry, exit, CAST(-1 AS INTEGER), length
FROM {{ below | ident }}
WHERE block_id = $last AND block_id & 1 = 0;
