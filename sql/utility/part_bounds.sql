-- utility/part_bounds.sql: the parts of each label of bounds: the range, NULL, what lies on no axis.
--
-- in:      the release
-- out:     ppdt_label_part (label_id, n_rows, lo_text, hi_text)
--          one row per (label, part); both ends NULL for the part NULL
WITH shown AS (
    SELECT
        {%+ with text = ("release", column) | ident %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} AS lo_text,
        {%+ with text = ("release", high) | ident %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} AS hi_text,
        {%+ if has_null %}coalesce(release.{{ has_null | ident }}, FALSE){% else %}FALSE{% endif %} AS has_null,
        {%+ if has_special %}coalesce(release.{{ has_special | ident }}, FALSE){% else %}FALSE{% endif %} AS has_special,
        count(*) AS n_rows
    FROM {{ release }} AS release
    GROUP BY ALL
),

numbered AS (
    SELECT
        row_number() OVER (
            ORDER BY lo_text ASC NULLS FIRST, hi_text ASC NULLS FIRST, has_null ASC, has_special ASC
        ) AS label_id,
        lo_text, hi_text, has_null, has_special, n_rows
    FROM shown
)

SELECT label_id, n_rows, lo_text, hi_text
FROM numbered
WHERE lo_text IS NOT NULL AND hi_text IS NOT NULL
UNION ALL
SELECT label_id, n_rows, CAST(NULL AS VARCHAR), CAST(NULL AS VARCHAR)
FROM numbered
WHERE has_null OR ((lo_text IS NULL OR hi_text IS NULL) AND NOT has_special)
UNION ALL
SELECT numbered.label_id, numbered.n_rows, special.word, special.word
FROM numbered
CROSS JOIN (VALUES ('nan'), ('inf'), ('-inf')) AS special (word)
WHERE numbered.has_special;
