-- methods/datafly/generalized.sql: at first every cell shows its own values.
--
-- in:      ppdt_cell (cell_id, n_rows, q<i>)
-- out:     ppdt_generalized (cell_id, n_rows, q<i>)
--          one row per cell
SELECT cell_id, n_rows
{%- for attribute in attributes %}, CAST({{ attribute.code | ident }} AS INTEGER) AS {{ attribute.code | ident }}{% endfor %}

FROM ppdt_cell;
