-- methods/univariate/held.sql: how many rows hold a finite number, and how many do not.
--
-- in:      ppdt_point (row_id, v<i>)
-- out:     ppdt_held (n_finite, n_missing)
--          one row
SELECT
    count({{ axis.column | ident }}) AS n_finite,
    count(*) - count({{ axis.column | ident }}) AS n_missing
FROM ppdt_point;
