-- apply/unfit.sql: the combinations that no class holds in full.
--
-- in:      ppdt_asked (cell_id, leaf_id, q<i>, value_<o>, word_<o>); ppdt_fit (cell_id)
-- out:     ppdt_unfit (cell_id, leaf_id, q<i>, value_<o>, word_<o>)
--          one row per combination
SELECT
    asked.cell_id,
    asked.leaf_id
{%- for attribute in attributes %},
    asked.{{ attribute.code | ident }}
{%- endfor %}
{%- for attribute in ranged %},
    asked.{{ ("value_%d" % attribute.position) | ident }},
    asked.{{ ("word_%d" % attribute.position) | ident }}
{%- endfor %}

FROM ppdt_asked AS asked
ANTI JOIN ppdt_fit AS fit ON fit.cell_id = asked.cell_id;
