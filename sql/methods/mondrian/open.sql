-- methods/mondrian/open.sql: everything in one node, to begin with.
--
-- in:      ppdt_cell (cell_id, n_rows, q<i>); ppdt_row (row_id, cell_id) where rows are dealt
-- out:     ppdt_open (node_id, unit_id, n_rows, word_<w>)
--          one row per unit: a cell, or a row where rows are dealt
-- keeps:   the codes travel packed, because a relation is written again faster the fewer columns it has; no
--          word is carried where the unit's id itself is the word
SELECT
    CAST(0 AS INTEGER) AS node_id,
{% if unit == "row_id" %}
    placed.row_id AS unit_id,
    CAST(1 AS INTEGER) AS n_rows
{%- else %}
    cell.cell_id AS unit_id,
    cell.n_rows
{%- endif %}
{%- include "lib/fragments/words.sql" %}

FROM ppdt_cell AS cell
{% if unit == "row_id" %}
INNER JOIN ppdt_row AS placed ON placed.cell_id = cell.cell_id
{% endif %};
