-- methods/mondrian/grouped.sql: the rows in the nodes that another method formed, to begin with.
--
-- in:      ppdt_coarse (row_id, class_id); ppdt_row (row_id, cell_id); ppdt_cell (cell_id, q<i>)
-- out:     ppdt_open (node_id, unit_id, n_rows, word_<w>)
--          one row per row that belongs to a class
SELECT
    CAST(coarse.class_id AS INTEGER) AS node_id,
    coarse.row_id AS unit_id,
    CAST(1 AS INTEGER) AS n_rows
{%- include "lib/fragments/words.sql" %}

FROM ppdt_coarse AS coarse
INNER JOIN ppdt_row AS placed ON placed.row_id = coarse.row_id
INNER JOIN ppdt_cell AS cell ON cell.cell_id = placed.cell_id;
