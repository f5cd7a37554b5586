-- utility/part_range.sql: the parts of each label of a column of ranges, such as `[20, 30] or NULL`.
--
-- in:      the release
-- out:     ppdt_label_part (label_id, n_rows, lo_text, hi_text)
--          one row per (label, part); both ends NULL for the part NULL
WITH shown AS (
    SELECT release.{{ column | ident }} COLLATE "binary" AS label, count(*) AS n_rows
    FROM {{ release }} AS release
    GROUP BY ALL
),

numbered AS (
    SELECT row_number() OVER (ORDER BY label ASC NULLS FIRST) AS label_id, n_rows, label
    FROM shown
),

part AS (
    SELECT label_id, n_rows, unnest(string_split(coalesce(label, 'NULL'), ' or ')) AS part
    FROM numbered
)

SELECT
    label_id,
    n_rows,
    coalesce(nullif(regexp_extract(part, '^\[(.+), (.+)\]$', 1), ''), nullif(part, 'NULL')) AS lo_text,
    coalesce(nullif(regexp_extract(part, '^\[(.+), (.+)\]$', 2), ''), nullif(part, 'NULL')) AS hi_text
FROM part;
