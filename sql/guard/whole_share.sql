-- guard/whole_share.sql: how often each sensitive value occurs in the whole table.
--
-- in:      ppdt_unit_thing (kind, thing, n_rows)
-- out:     ppdt_whole_share (kind, thing, n_rows, n_upto, n_total, n_values)
--          one row per (kind, thing)
-- keeps:   n_upto counts the rows up to a thing, in its order; NULL has a code, and is a value
WITH counted AS (
    SELECT kind, thing, CAST(sum(n_rows) AS BIGINT) AS n_rows
    FROM ppdt_unit_thing
    WHERE kind > 0
    GROUP BY kind, thing
)

SELECT
    kind,
    thing,
    n_rows,
    CAST(sum(n_rows) OVER (PARTITION BY kind ORDER BY thing ASC) AS BIGINT) AS n_upto,
    CAST(sum(n_rows) OVER (PARTITION BY kind) AS BIGINT) AS n_total,
    count(*) OVER (PARTITION BY kind) AS n_values
FROM counted;
