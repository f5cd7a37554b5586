-- audit/segment.sql: each class's running share of an ordered sensitive column, which stays the same
-- from one value of the class to the next.
--
-- in:      ppdt_portion (class_id, code, n_rows, n_class); ppdt_sensitive_value (code, n_below)
-- out:     ppdt_segment (class_id, n_class, n_upto, first_code, next_code, first_below, next_below)
--          one row per (class_id, code): from code to before the class's next one
-- params:  $n_values, $whole_below
-- keeps:   the last segment ends behind the last value of the release; before the first value of a
--          class its running share is 0, which audit/ordered adds
WITH placed AS (
    SELECT portion.class_id, portion.n_class, portion.n_rows, portion.code, value.n_below
    FROM ppdt_portion AS portion
    INNER JOIN ppdt_sensitive_value AS value ON value.code = portion.code
)

SELECT
    class_id,
    n_class,
    CAST(sum(n_rows) OVER upto AS BIGINT) AS n_upto,
    code AS first_code,
    lead(code, 1, $n_values) OVER in_order AS next_code,
    n_below AS first_below,
    lead(n_below, 1, CAST($whole_below AS HUGEINT)) OVER in_order AS next_below
FROM placed
WINDOW
    in_order AS (PARTITION BY class_id ORDER BY code ASC),
    upto AS (PARTITION BY class_id ORDER BY code ASC ROWS UNBOUNDED PRECEDING);
