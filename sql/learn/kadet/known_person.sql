-- learn/kadet/known_person.sql: every cell of the public attributes as somebody who can be looked for in a tree.
--
-- in:      ppdt_cell (cell_id, q<i>)
-- out:     ppdt_known_person (person_id, q<i>)
--          one row per cell
SELECT
    cell_id AS person_id,
{% for attribute in attributes %}
    {{ attribute.code | ident }}{{ comma(loop) }}
{% endfor %}
FROM ppdt_cell;
