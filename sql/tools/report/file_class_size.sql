-- tools/report/file_class_size.sql: how many classes of each size a file holds.
--
-- in:      the release
-- out:     ppdt_file_class_size (n_rows, n_classes)
--          one row per size
-- keeps:   NULL is a value
WITH class AS (
    SELECT
        {%+ for column in columns %}release.{{ column | ident }}, {% endfor %}count(*) AS n_rows
    FROM {{ release }} AS release
    GROUP BY ALL
)

SELECT n_rows, count(*) AS n_classes
FROM class
GROUP BY n_rows
ORDER BY n_rows ASC;
