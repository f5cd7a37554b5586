-- learn/trees/class.sql: the classes by their codes, as text.
--
-- in:      the target's dictionary (code, value)
-- out:     ppdt_class_text (code, value)
--          one row per class
-- params:  $first_class
SELECT code, {% with text = "value" | ident, type_name = target.type_name %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} AS value
FROM {{ target.dictionary | ident }}
WHERE code >= $first_class
ORDER BY code ASC;
