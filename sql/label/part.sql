-- label/part.sql: how many rows of each cell belong to each class.
--
-- in:      ppdt_member (cell_id | row_id, class_id); ppdt_cell (cell_id, n_rows);
--          ppdt_row (row_id, cell_id) where members are rows
-- out:     ppdt_part (class_id, cell_id, n_rows)
--          one row per (class_id, cell_id)
{% if grain == "row" %}
SELECT member.class_id, placed.cell_id, CAST(count(*) AS BIGINT) AS n_rows
FROM ppdt_member AS member
INNER JOIN ppdt_row AS placed ON placed.row_id = member.row_id
GROUP BY member.class_id, placed.cell_id
{% else %}
SELECT member.class_id, member.cell_id, CAST(cell.n_rows AS BIGINT) AS n_rows
FROM ppdt_member AS member
INNER JOIN ppdt_cell AS cell ON cell.cell_id = member.cell_id
{% endif %};
