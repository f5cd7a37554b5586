-- methods/mict/path_group.sql: every cell at the root, where no attribute is asked for and all rows are one group.
--
-- in:      ppdt_cell (cell_id, q<i>)
-- out:     ppdt_path_group (cell_id, node_id, group_id, q<i>)
--          one row per cell
SELECT
    cell_id,
    CAST(0 AS INTEGER) AS node_id,
    CAST(0 AS BIGINT) AS group_id,
{% for attribute in attributes %}
    {{ attribute.code | ident }}{{ comma(loop) }}
{% endfor %}
FROM ppdt_cell;
