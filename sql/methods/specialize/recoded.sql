-- methods/specialize/recoded.sql: the cells of some classes, to be written where all the others stand.
--
-- in:      ppdt_touched or ppdt_state (cell_id, n_rows, class_id, q<i>)
-- out:     ppdt_state (cell_id, n_rows, class_id, q<i>)
--          one row per cell
SELECT cell_id, n_rows, class_id
{%- for attribute in attributes %}, {{ attribute.code | ident }}{% endfor %}

FROM {{ table | ident }};
