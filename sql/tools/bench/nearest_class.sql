-- tools/bench/nearest_class.sql: the class of a release that shows what is nearest to each of some rows.
--
-- in:      rows under their numbers; ppdt_shown_class (class_id, the features)
-- out:     ppdt_nearest_class (number, class_id)
--          one row per row
-- keeps:   squares of numbers by the range that the classes show, and a whole for each category that differs;
--          equally near to a millionth: the class with the lowest number
WITH reach AS (
    SELECT
{% for column, is_number in columns.items() if is_number %}
        nullif(CAST(max({{ column | ident }}) AS DOUBLE) - min({{ column | ident }}), 0) AS {{ nth("reach", loop) }},
{% endfor %}
        count(*) AS n_classes
    FROM ppdt_shown_class
),

pair AS (
    SELECT
        row.{{ number | ident }} AS number,
        class.class_id,
        0.0
{% for column, is_number in columns.items() if is_number %}
        + coalesce(pow((row.{{ column | ident }} - class.{{ column | ident }}) / reach.{{ nth("reach", loop) }}, 2), 0)
{% endfor %}
{% for column, is_number in columns.items() if not is_number %}
        + CAST(row.{{ column | ident }} IS DISTINCT FROM class.{{ column | ident }} AS INTEGER)
{% endfor %}
        AS distance
    FROM {{ source }} AS row
    CROSS JOIN ppdt_shown_class AS class
    CROSS JOIN reach
)

SELECT
    number,
    min(CAST(round(distance * 1e6) AS BIGINT) * 2147483648 + class_id) & 2147483647 AS class_id
FROM pair
GROUP BY number;
