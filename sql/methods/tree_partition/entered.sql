-- methods/tree_partition/entered.sql: every cell at the root.
--
-- in:      ppdt_cell (cell_id, q<i>)
-- out:     ppdt_descent (cell_id, node_id, q<i>)
--          one row per cell
SELECT
    cell_id,
    CAST(0 AS INTEGER) AS node_id,
{% for attribute in attributes %}
    {{ attribute.code | ident }}{{ comma(loop) }}
{% endfor %}
FROM ppdt_cell;
