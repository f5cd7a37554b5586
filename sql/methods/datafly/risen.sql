-- methods/datafly/risen.sql: the cells with one attribute a level higher.
--
-- in:      ppdt_generalized (cell_id, n_rows, q<i>); ppdt_generalization (attribute_id, level, code, bucket_id)
-- out:     ppdt_risen (cell_id, n_rows, q<i>)
--          one row per cell
-- params:  $attribute_id, $level
-- keeps:   a bucket lies in one bucket of the next level, and is named by one of its codes
SELECT cell.cell_id, cell.n_rows
{%- for each in attributes %},
{%+ if each.position == attribute.position %}    generalization.bucket_id AS {{ each.code | ident }}{% else %}    cell.{{ each.code | ident }}{% endif %}
{%- endfor %}

FROM ppdt_generalized AS cell
INNER JOIN ppdt_generalization AS generalization
    ON generalization.code = cell.{{ attribute.code | ident }}
    AND generalization.attribute_id = $attribute_id
    AND generalization.level = $level;
