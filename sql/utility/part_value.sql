-- utility/part_value.sql: the labels of a column that shows one value at a time.
--
-- in:      the release
-- out:     ppdt_label_part (label_id, n_rows, lo_text, hi_text)
--          one row per label; both ends NULL for NULL
WITH shown AS (
    SELECT {% with text = ("release", column) | ident %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} COLLATE "binary" AS label, count(*) AS n_rows
    FROM {{ release }} AS release
    GROUP BY ALL
)

SELECT
    row_number() OVER (ORDER BY label ASC NULLS FIRST) AS label_id,
    n_rows,
    label AS lo_text,
    label AS hi_text
FROM shown;
