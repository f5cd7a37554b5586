-- mondrian/open.sql: everything in one node, to begin with.
--
-- in:      ppdt_cell (cell_id, n_rows, q<i>); ppdt_row (row_id, cell_id) where rows are dealt
-- out:     ppdt_open (node_id, unit_id, n_rows, q<i>)
--          one row per unit: a cell, or a row where rows are dealt
SELECT
    CAST(0 AS INTEGER) AS node_id,
{% if unit == "row_id" %}
    placed.row_id AS unit_id,
    CAST(1 AS INTEGER) AS n_rows,
{% else %}
    cell.cell_id AS unit_id,
    cell.n_rows,
{% endif %}
{% for attribute in attributes %}
    cell.{{ attribute.code | ident }}{% if not loop.last %},{% endif %}

{% endfor %}
FROM ppdt_cell AS cell
{% if unit == "row_id" %}
INNER JOIN ppdt_row AS placed ON placed.cell_id = cell.cell_id
{% endif %};
