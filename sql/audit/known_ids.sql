-- audit/known_ids.sql: whether the classes keep ids of their own where other columns are known too.
--
-- in:      ppdt_class_row (class_id, s<i>); ppdt_class_value (class_id)
-- out:     ppdt_known_ids (n_classes, n_ids)
--          one row
WITH known AS (
    SELECT DISTINCT class_id{% for other in others %}, {{ other.group | ident }}{% if other.is_text %} COLLATE "binary"{% endif %} AS {{ other.group | ident }}{% endfor %}

    FROM ppdt_class_row
)

SELECT
    (SELECT count(*) FROM known) AS n_classes,
    (SELECT count(DISTINCT class_id) FROM ppdt_class_value) AS n_ids;
