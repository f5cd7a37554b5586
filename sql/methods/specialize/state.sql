-- methods/specialize/state.sql: at first all cells show the same, and are one class.
--
-- in:      ppdt_cell (cell_id, n_rows, q<i>)
-- out:     ppdt_touched (cell_id, n_rows, class_id, q<i>)
--          one row per cell
SELECT cell_id, n_rows, CAST(0 AS INTEGER) AS class_id
{%- for attribute in attributes %}, {{ attribute.code | ident }}{% endfor %}

FROM ppdt_cell;
