-- encode/sketch.sql: the smallest keyed digests of a source's different rows, a sample that others can meet.
--
-- in:      any relation
-- out:     ppdt_sketch (row_digest)
--          one row per digest
-- params:  $digest_key, $columns, $size
-- keeps:   the order of rows and of columns does not matter; rows that repeat count once
SELECT DISTINCT CAST('0x' || left(sha256(concat_ws('|', $digest_key, $columns
{%- for column, type_name in columns.items() %},
    {% with text = ("relation", column) | ident %}{% include "form/canonical.sql" %}{% endwith %}
{%- endfor %}

)), 15) AS BIGINT) AS row_digest
FROM {{ relation }} AS relation
ORDER BY row_digest ASC
LIMIT $size;
