-- tools/bench/as_nearest.sql: rows as their nearest class shows them, with a class of their own to predict.
--
-- in:      rows under their numbers; ppdt_nearest_class (number, class_id);
--          ppdt_shown_class (class_id, the features)
-- out:     ppdt_as_nearest (the target, the features)
--          one row per row
SELECT
    row.{{ target | ident }},
{% for column in columns %}
    class.{{ column | ident }}{{ comma(loop) }}
{% endfor %}
FROM {{ source }} AS row
INNER JOIN ppdt_nearest_class AS nearest ON nearest.number = row.{{ number | ident }}
INNER JOIN ppdt_shown_class AS class ON class.class_id = nearest.class_id;
