-- tools/profile/column.sql: how many different values a column has, and how many rows it tells apart.
--
-- in:      the source
-- out:     ppdt_column (n_rows, n_values, n_nulls, n_unique, n_smallest)
--          one row; n_unique counts the rows whose value no other row has
-- keeps:   NULL is a value; text is told apart by its bytes
WITH value AS (
    SELECT
        source.{{ column.name | ident }}{% if column.is_text %} COLLATE "binary"{% endif %} AS value,
        count(*) AS n_rows
    FROM {{ source }} AS source
    GROUP BY ALL
)

SELECT
    CAST(coalesce(sum(n_rows), 0) AS BIGINT) AS n_rows,
    count(*) AS n_values,
    CAST(coalesce(sum(n_rows) FILTER (WHERE value IS NULL), 0) AS BIGINT) AS n_nulls,
    count(*) FILTER (WHERE n_rows = 1) AS n_unique,
    coalesce(min(n_rows), 0) AS n_smallest
FROM value;
