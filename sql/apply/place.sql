-- apply/place.sql: the classes that the rows of every leaf went to.
--
-- in:      ppdt_home (cell_id, leaf_id); ppdt_member (cell_id | row_id, class_id); ppdt_cell (cell_id, n_rows);
--          ppdt_row (row_id, cell_id) where members are rows
-- out:     ppdt_place (leaf_id, class_id, n_rows)
--          one row per leaf and class that share rows
{% if grain == "row" %}
SELECT home.leaf_id, member.class_id, CAST(count(*) AS BIGINT) AS n_rows
FROM ppdt_member AS member
INNER JOIN ppdt_row AS placed ON placed.row_id = member.row_id
INNER JOIN ppdt_home AS home ON home.cell_id = placed.cell_id
{% else %}
SELECT home.leaf_id, member.class_id, CAST(sum(cell.n_rows) AS BIGINT) AS n_rows
FROM ppdt_member AS member
INNER JOIN ppdt_cell AS cell ON cell.cell_id = member.cell_id
INNER JOIN ppdt_home AS home ON home.cell_id = member.cell_id
{% endif %}
GROUP BY home.leaf_id, member.class_id;
