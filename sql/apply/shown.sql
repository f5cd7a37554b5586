-- apply/shown.sql: what every class shows, as it was released.
--
-- in:      ppdt_label, or the labels in the file of rules (class_id, <label>)
-- out:     the labels in the file of rules, or ppdt_label (class_id, <label>)
--          one row per class
SELECT
    class_id,
{% for label in labels %}
    {{ label.name | ident }}{{ comma(loop) }}
{% endfor %}
FROM {{ kept | ident }};
