-- learn/trees/weight.sql: how many rows have no weight that counts.
--
-- in:      the source
-- out:     ppdt_weight (n_rows)
--          one row
SELECT count(*) AS n_rows
FROM {{ source }} AS source
WHERE NOT coalesce(
    CAST(source.{{ weight | ident }} AS DOUBLE) >= 1e-6 AND CAST(source.{{ weight | ident }} AS DOUBLE) < 1e12,
    FALSE
);
