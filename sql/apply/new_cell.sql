-- apply/new_cell.sql: the combinations of the new rows with their leaf, and what is compared with labels.
--
-- in:      ppdt_cell (cell_id, q<i>); ppdt_leaf (cell_id, leaf_id); ppdt_code_<i> (code, value, shown)
-- out:     ppdt_new_cell (cell_id, leaf_id, q<i>, value_<o>, word_<o>)
--          one row per combination that has come to a leaf
-- keeps:   `word` names a value that lies in no range, and is NULL for all others
SELECT
    cell.cell_id,
    leaf.leaf_id
{%- for attribute in attributes %},
    cell.{{ attribute.code | ident }}
{%- endfor %}
{%- for attribute in ranged %},
    {{ attribute.dictionary_alias | ident }}.value AS {{ attribute.value }},
    CASE
        WHEN cell.{{ attribute.code | ident }} < {{ attribute.n_special | literal }}
            THEN coalesce({{ attribute.dictionary_alias | ident }}.shown, 'NULL')
    END AS {{ attribute.value_words }}
{%- endfor %}

FROM ppdt_cell AS cell
INNER JOIN ppdt_leaf AS leaf ON leaf.cell_id = cell.cell_id
{% for attribute in ranged %}
INNER JOIN {{ attribute.dictionary | ident }} AS {{ attribute.dictionary_alias | ident }}
    ON {{ attribute.dictionary_alias | ident }}.code = cell.{{ attribute.code | ident }}
{% endfor %};
