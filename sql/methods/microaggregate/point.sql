-- methods/microaggregate/point.sql: every row as a point: coordinates of numbers, codes of categories.
--
-- in:      ppdt_coarse (row_id, class_id), or another relation of that form; ppdt_row (row_id, cell_id);
--          ppdt_cell (cell_id, q<i>); ppdt_coordinate_<i> (code, coordinate)
-- out:     ppdt_point (part_id, row_id, v<i>)
--          one row per row that has a place
-- keeps:   a missing category is -1
SELECT
    CAST(place.class_id AS BIGINT) AS part_id,
    CAST(place.row_id AS BIGINT) AS row_id,
{% for axis in axes %}
{% if axis.is_number %}
    {{ axis.alias }}.coordinate AS {{ axis.column | ident }}{{ comma(loop) }}
{% else %}
    {%+ if axis.has_null %}CAST(cell.{{ axis.code | ident }} AS INTEGER) - CASE cell.{{ axis.code | ident }} WHEN 0 THEN 1 ELSE 0 END
    {%- else %}CAST(cell.{{ axis.code | ident }} AS INTEGER){% endif %} AS {{ axis.column | ident }}{{ comma(loop) }}
{% endif %}
{% endfor %}
FROM {{ place | ident }} AS place
INNER JOIN ppdt_row AS placed ON placed.row_id = place.row_id
INNER JOIN ppdt_cell AS cell ON cell.cell_id = placed.cell_id
{% for axis in axes if axis.is_number %}
INNER JOIN {{ axis.relation }} AS {{ axis.alias }}
    ON {{ axis.alias }}.code = cell.{{ axis.code | ident }}
{% endfor %};
