-- methods/specialize/disclosed.sql: the value that a class shows where it was disclosed.
--
-- in:      ppdt_class_cell (class_id, q<i>); ppdt_code_<i> (code, value)
-- out:     ppdt_centre_<i> (class_id, centre)
--          one row per class whose value was disclosed; the others show NULL
-- params:  $disclosed
SELECT
    class_cell.class_id,
    {%+ if attribute.family == "enum" %}CAST(dictionary.value AS VARCHAR){% else %}{% with text = ("dictionary", "value") | ident, is_text = attribute.family == "text" %}{% include "lib/fragments/plain.sql" %}{% endwith %}{% endif %} AS centre
FROM ppdt_class_cell AS class_cell
INNER JOIN {{ attribute.dictionary | ident }} AS dictionary
    ON dictionary.code = class_cell.{{ attribute.code | ident }}
WHERE dictionary.code IN (SELECT unnest(CAST($disclosed AS INTEGER[])));
