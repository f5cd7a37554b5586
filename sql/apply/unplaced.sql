-- apply/unplaced.sql: the combinations that no class holds in full.
--
-- in:      ppdt_new_cell (cell_id, leaf_id, q<i>, value_<o>, word_<o>); ppdt_fitting_class (cell_id)
-- out:     ppdt_unplaced (cell_id, leaf_id, q<i>, value_<o>, word_<o>)
--          one row per combination
SELECT
    asked.cell_id,
    asked.leaf_id
{%- for attribute in attributes %},
    asked.{{ attribute.code | ident }}
{%- endfor %}
{%- for attribute in ranged %},
    asked.{{ attribute.value }},
    asked.{{ attribute.value_words }}
{%- endfor %}

FROM ppdt_new_cell AS asked
ANTI JOIN ppdt_fitting_class AS fit ON fit.cell_id = asked.cell_id;
