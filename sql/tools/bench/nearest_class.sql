-- tools/bench/nearest_class.sql: the class of a release that shows what is nearest to each of some rows.
--
-- in:      rows under their numbers; ppdt_shown_class (class_id, the features)
-- out:     ppdt_nearest_class (number, class_id)
--          one row per row
-- keeps:   squares of numbers by the range that the classes show, and a whole for each category that differs;
--          equally near to a millionth: the class with the lowest number. Categories are compared as numbers
WITH reach AS (
    SELECT
{% for column, is_number in columns.items() if is_number %}
        min({{ column | ident }}) AS {{ nth("least", loop) }},
        nullif(CAST(max({{ column | ident }}) AS DOUBLE) - min({{ column | ident }}), 0) AS {{ nth("reach", loop) }},
{% endfor %}
        count(*) AS n_classes
    FROM ppdt_shown_class
),

side AS (
    SELECT {{ number | ident }} AS number, NULL AS class_id{% for column in columns %}, {{ column | ident }}{% endfor %}

    FROM {{ source }}
    UNION ALL
    SELECT NULL, class_id{% for column in columns %}, {{ column | ident }}{% endfor %}

    FROM ppdt_shown_class
),

placed AS MATERIALIZED (
    SELECT
        side.number,
        side.class_id
{%- for column, is_number in columns.items() if is_number %},
        (side.{{ column | ident }} - reach.{{ nth("least", loop) }}) / reach.{{ nth("reach", loop) }} AS {{ nth("x", loop) }}
{%- endfor %}
{%- for column, is_number in columns.items() if not is_number %},
        dense_rank() OVER (ORDER BY side.{{ column | ident }} ASC) AS {{ nth("code", loop) }}
{%- endfor %}

    FROM side
    CROSS JOIN reach
),

pair AS (
    SELECT
        row.number,
        class.class_id,
        0.0
{% for column, is_number in columns.items() if is_number %}
        + coalesce((row.{{ nth("x", loop) }} - class.{{ nth("x", loop) }}) * (row.{{ nth("x", loop) }} - class.{{ nth("x", loop) }}), 0)
{% endfor %}
{% for column, is_number in columns.items() if not is_number %}
        + CAST(row.{{ nth("code", loop) }} <> class.{{ nth("code", loop) }} AS INTEGER)
{% endfor %}
        AS distance
    FROM placed AS row
    CROSS JOIN placed AS class
    WHERE row.class_id IS NULL AND class.class_id IS NOT NULL
)

SELECT
    number,
    min(CAST(round(distance * 1e6) AS BIGINT) * 2147483648 + class_id) & 2147483647 AS class_id
FROM pair
GROUP BY number;
