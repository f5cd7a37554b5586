-- methods/specialize/no_fork.sql: the list of the inner nodes' children, still empty.
--
-- in:      nothing
-- out:     ppdt_fork (attribute_id, node_id, child_id, code)
--          no row
SELECT
    CAST(0 AS INTEGER) AS attribute_id,
    CAST(0 AS INTEGER) AS node_id,
    CAST(0 AS INTEGER) AS child_id,
    CAST(0 AS INTEGER) AS code
WHERE FALSE;
