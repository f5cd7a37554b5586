-- audit/class_value.sql: how often each value of one sensitive column occurs in each class.
--
-- in:      ppdt_class_row (class_id, s<i>)
-- out:     ppdt_class_value (class_id, value, n_rows)
--          one row per (class_id, value)
-- keeps:   NULL is a sensitive value like any other; where others are named, they count among the
--          quasi-identifiers
SELECT
    {% if others %}hash(class_id{% for other in others %}, hash(class_id, {{ other.group | ident }}{% if other.is_list %}, array_length({{ other.group | ident }}){% endif %}){% endfor %}){% else %}class_id{% endif %} AS class_id,
    {{ sensitive.group | ident }}{% if sensitive.is_text %} COLLATE "binary"{% endif %} AS value,
    count(*) AS n_rows
FROM ppdt_class_row
GROUP BY ALL;
