-- encode/bins/unread.sql: count the edges that are no finite values of their column's type.
--
-- in:      nothing
-- out:     ppdt_unread (n_edges)
--          one row
-- params:  $lows
SELECT count(*) AS n_edges
FROM (SELECT unnest(CAST($lows AS VARCHAR[])) AS low) AS given
WHERE TRY_CAST(given.low AS {{ type_name }}) IS NULL OR contains(given.low, 'inf');
