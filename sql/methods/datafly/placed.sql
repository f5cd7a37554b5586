-- methods/datafly/placed.sql: the class of every cell at the present levels.
--
-- in:      ppdt_generalized (cell_id, q<i>); ppdt_group (group_id, q<i>)
-- out:     ppdt_placed (cell_id, group_id)
--          one row per cell
SELECT cell.cell_id, made.group_id
FROM ppdt_generalized AS cell
INNER JOIN ppdt_group AS made
    ON {% for attribute in attributes %}made.{{ attribute.code | ident }} = cell.{{ attribute.code | ident }}{% if not loop.last %}

    AND {% endif %}{% endfor %};
