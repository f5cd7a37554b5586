-- audit/crossing.sql: for every running share that a class has, how many values lie where the whole
-- release's running share is still smaller.
--
-- in:      ppdt_segment (n_class, n_upto); ppdt_sensitive_value (code, n_upto, n_below)
-- out:     ppdt_crossing (n_class, n_upto, cross_code, cross_below)
--          one row per (n_class, n_upto)
-- params:  $n_total
WITH share AS (
    SELECT DISTINCT
        n_class,
        n_upto,
        (CAST(n_upto AS HUGEINT) * $n_total + n_class - 1) // n_class AS n_least
    FROM ppdt_segment
)

SELECT
    share.n_class,
    share.n_upto,
    coalesce(value.code + 1, 0) AS cross_code,
    coalesce(value.n_below + value.n_upto, 0) AS cross_below
FROM share
ASOF LEFT JOIN ppdt_sensitive_value AS value ON share.n_least > value.n_upto;
