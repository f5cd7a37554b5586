-- encode/sketch.sql: the smallest keyed digests of a source's different rows, a sample that others can meet.
--
-- in:      any relation
-- out:     ppdt_sketch (row_digest, reach)
--          one row per digest
-- params:  $digest_key, $columns, $reach, $size
-- keeps:   all digests up to `reach` are there; the order of rows and of columns does not matter, and rows
--          that repeat count once
WITH digested AS (
    SELECT CAST('0x' || left(sha256(concat_ws('|', $digest_key, $columns
{%- for column, type_name in columns.items() %},
        {%+ with text = ("relation", column) | ident %}{% include "lib/fragments/canonical.sql" %}{% endwith %}
{%- endfor %}

    )), 15) AS BIGINT) AS row_digest
    FROM {{ relation }} AS relation
),

smallest AS (
    SELECT DISTINCT row_digest
    FROM digested
    WHERE row_digest <= $reach
    ORDER BY row_digest ASC
    LIMIT $size
)

SELECT
    row_digest,
    CASE WHEN count(*) OVER () < $size THEN $reach ELSE max(row_digest) OVER () END AS reach
FROM smallest;
