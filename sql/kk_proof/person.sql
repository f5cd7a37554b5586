-- kk_proof/person.sql: the original's combinations, by the cells that were made of them.
--
-- in:      ppdt_cell (cell_id, q<i>); ppdt_code_<i> (code, value); ppdt_person (person_id, p<i>)
-- out:     ppdt_witness_person (cell_id, person_id)
--          one row per cell and combination of its values
SELECT cell.cell_id, person.person_id
FROM ppdt_cell AS cell
{% for attribute, part in pairs %}
INNER JOIN {{ attribute.dictionary | ident }} AS {{ attribute.dictionary_alias | ident }}
    ON {{ attribute.dictionary_alias | ident }}.code = cell.{{ attribute.code | ident }}
{% endfor %}
INNER JOIN ppdt_person AS person
    ON {% for attribute, part in pairs %}person.{{ part.person | ident }} IS NOT DISTINCT FROM
    {%- if part.as_text %} CAST({{ attribute.dictionary_alias | ident }}.value AS VARCHAR){% else %} {{ attribute.dictionary_alias | ident }}.value{% endif %}{% if not loop.last %}
    AND {% endif %}{% endfor %};
