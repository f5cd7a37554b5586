-- guard/whole_share.sql: how often each sensitive value occurs in the whole table.
--
-- in:      ppdt_unit_protected (kind, protected_key, n_rows)
-- out:     ppdt_whole_share (kind, protected_key, n_rows, n_upto, n_total, n_values)
--          one row per (kind, protected_key)
-- keeps:   n_upto counts the rows up to a protected_key, in its order; NULL has a code, and is a value
WITH counted AS (
    SELECT kind, protected_key, CAST(sum(n_rows) AS BIGINT) AS n_rows
    FROM ppdt_unit_protected
    WHERE kind > 0
    GROUP BY kind, protected_key
)

SELECT
    kind,
    protected_key,
    n_rows,
    CAST(sum(n_rows) OVER (PARTITION BY kind ORDER BY protected_key ASC) AS BIGINT) AS n_upto,
    CAST(sum(n_rows) OVER (PARTITION BY kind) AS BIGINT) AS n_total,
    count(*) OVER (PARTITION BY kind) AS n_values
FROM counted;
