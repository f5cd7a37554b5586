-- tools/bench/linked.sql: how many rows have their own class as their nearest, by the size of that class.
--
-- in:      a release with the rows' numbers; ppdt_nearest_class (number, class_id);
--          ppdt_shown_class (class_id, n_rows, the features)
-- out:     ppdt_linked (class_size, n_rows)
--          one row per size of such classes
SELECT class.n_rows AS class_size, count(*) AS n_rows
FROM ppdt_nearest_class AS nearest
INNER JOIN ppdt_shown_class AS class ON class.class_id = nearest.class_id
INNER JOIN {{ source }} AS released
    ON released.{{ number | ident }} = nearest.number
{% for column in columns %}
    AND released.{{ column | ident }} IS NOT DISTINCT FROM class.{{ column | ident }}
{% endfor %}
GROUP BY class.n_rows
ORDER BY class_size ASC;
