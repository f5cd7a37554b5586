-- report/label.sql: the labels of one ordered column, with their ends as numbers.
--
-- in:      the release
-- out:     ppdt_report_label (lo, hi, is_day, n_rows)
--          one row per label; lo is NULL where a label has no ends
WITH shown AS (
    SELECT
{% if high %}
        CAST(release.{{ column | ident }} AS VARCHAR) AS lo_text,
        CAST(release.{{ high | ident }} AS VARCHAR) AS hi_text,
{% else %}
        coalesce(
            nullif(regexp_extract(CAST(release.{{ column | ident }} AS VARCHAR), '^\[(.+), (.+)\]( or .+)?$', 1), ''),
            string_split(CAST(release.{{ column | ident }} AS VARCHAR), ' or ')[1]) AS lo_text,
        coalesce(
            nullif(regexp_extract(CAST(release.{{ column | ident }} AS VARCHAR), '^\[(.+), (.+)\]( or .+)?$', 2), ''),
            string_split(CAST(release.{{ column | ident }} AS VARCHAR), ' or ')[1]) AS hi_text,
{% endif %}
        count(*) AS n_rows
    FROM {{ release }} AS release
    GROUP BY ALL
)

SELECT
    {% with text = "lo_text" | ident %}{% include "form/as_number.sql" %}{% endwith %} AS lo,
    {% with text = "hi_text" | ident %}{% include "form/as_number.sql" %}{% endwith %} AS hi,
    TRY_CAST(lo_text AS DOUBLE) IS NULL AND TRY_CAST(lo_text AS TIMESTAMP) IS NOT NULL AS is_day,
    n_rows
FROM shown;
