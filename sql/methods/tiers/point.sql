-- methods/tiers/point.sql: every cell as a point: coordinates of numbers, codes of categories.
--
-- in:      ppdt_leaf (cell_id, leaf_id); ppdt_cell (cell_id, n_rows, q<i>); ppdt_row (row_id, cell_id);
--          ppdt_coordinate_<i> (code, coordinate)
-- out:     ppdt_point (part_id, cell_id, n_rows, first_row, v<i>)
--          one row per cell
-- keeps:   a missing category is -1; `first_row` is the key of the cell's first row
WITH first AS (
    SELECT cell_id, CAST(min(row_id) AS BIGINT) AS row_id
    FROM ppdt_row
    GROUP BY cell_id
)

SELECT
    CAST(leaf.leaf_id AS BIGINT) AS part_id,
    cell.cell_id,
    cell.n_rows,
    first.row_id AS first_row,
{% for axis in axes %}
{% if axis.is_number %}
    {{ axis.alias }}.coordinate AS {{ axis.column | ident }}{{ comma(loop) }}
{% else %}
    {%+ if axis.has_null %}CAST(cell.{{ axis.code | ident }} AS INTEGER) - CASE cell.{{ axis.code | ident }} WHEN 0 THEN 1 ELSE 0 END
    {%- else %}CAST(cell.{{ axis.code | ident }} AS INTEGER){% endif %} AS {{ axis.column | ident }}{{ comma(loop) }}
{% endif %}
{% endfor %}
FROM ppdt_leaf AS leaf
INNER JOIN ppdt_cell AS cell ON cell.cell_id = leaf.cell_id
INNER JOIN first ON first.cell_id = leaf.cell_id
{% for axis in axes if axis.is_number %}
INNER JOIN {{ axis.relation }} AS {{ axis.alias }}
    ON {{ axis.alias }}.code = cell.{{ axis.code | ident }}
{% endfor %};
