-- audit/entity_gap.sql: classes that the release and the same release with its entities do not share.
--
-- in:      ppdt_class (g<i>, n_rows); the release with its entities
-- out:     ppdt_entity_gap (n_classes)
--          one row; 0 where people were counted in just the classes that are released
WITH behind AS (
    SELECT
        {%+ include "lib/fragments/group.sql" %},
        count(*) AS n_rows
    FROM {{ release }} AS release
    GROUP BY ALL
),

released AS (
    SELECT {% for column in quasi %}CAST({{ column.group | ident }} AS VARCHAR) AS {{ column.group | ident }}, {% endfor %}n_rows
    FROM ppdt_class
),

counted AS (
    SELECT {% for column in quasi %}CAST({{ column.group | ident }} AS VARCHAR) AS {{ column.group | ident }}, {% endfor %}n_rows
    FROM behind
)

SELECT CAST(coalesce(sum(abs(balance)), 0) AS BIGINT) AS n_classes
FROM (
    SELECT {% for column in quasi %}{{ column.group | ident }}, {% endfor %}n_rows, sum(side) AS balance
    FROM (
        SELECT {% for column in quasi %}{{ column.group | ident }}, {% endfor %}n_rows, 1 AS side FROM released
        UNION ALL
        SELECT {% for column in quasi %}{{ column.group | ident }}, {% endfor %}n_rows, -1 AS side FROM counted
    ) AS both_sides
    GROUP BY ALL
) AS compared;
