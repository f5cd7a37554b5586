-- methods/specialize/class_cell.sql: one cell of each class; all others show the same.
--
-- in:      ppdt_member (cell_id, class_id); ppdt_cell (cell_id, n_rows, q<i>)
-- out:     ppdt_class_cell (class_id, n_rows, q<i>)
--          one row per class
WITH first AS (
    SELECT member.class_id, min(member.cell_id) AS cell_id, sum(cell.n_rows) AS n_rows
    FROM ppdt_member AS member
    INNER JOIN ppdt_cell AS cell ON cell.cell_id = member.cell_id
    GROUP BY member.class_id
)

SELECT first.class_id, CAST(first.n_rows AS BIGINT) AS n_rows
{%- for attribute in attributes %}, cell.{{ attribute.code | ident }}{% endfor %}

FROM first
INNER JOIN ppdt_cell AS cell ON cell.cell_id = first.cell_id;
