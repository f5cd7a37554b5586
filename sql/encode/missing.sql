-- encode/missing.sql: count the values that a user's order does not name.
--
-- in:      ppdt_value (value, n_rows)
-- out:     ppdt_missing (n_values)
--          one row
-- params:  $order
SELECT count(*) AS n_values
FROM {{ value | ident }}
WHERE value IS NOT NULL AND NOT list_contains($order, CAST(value AS VARCHAR) COLLATE "binary");
