-- methods/kactus/none_lent.sql: nothing is lent, to begin with.
--
-- in:      nothing
-- out:     ppdt_lent (row_id, from_id, to_id)
--          no row
SELECT
    CAST(NULL AS BIGINT) AS row_id,
    CAST(NULL AS INTEGER) AS from_id,
    CAST(NULL AS INTEGER) AS to_id
WHERE FALSE;
