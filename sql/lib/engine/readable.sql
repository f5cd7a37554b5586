-- lib/engine/readable.sql: how many values a column has; an error where it cannot be read.
--
-- in:      any relation
-- out:     ppdt_readable (n_values)
--          one row
SELECT count(relation.{{ column | ident }}) AS n_values FROM {{ relation }} AS relation
