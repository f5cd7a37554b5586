-- tools/report/member.sql: how many released rows stand for each value of a column, sets in equal parts.
--
-- in:      the release
-- out:     ppdt_report_member (value, n_rows)
--          one row per value
WITH shown AS (
    SELECT
        {%+ if is_set %}list_transform(release.{{ column | ident }}, lambda member : {% with text = "member" | ident %}{% include "lib/fragments/utc_text.sql" %}{% endwith %})
        {%- else %}[{% with text = ("release", column) | ident %}{% include "lib/fragments/utc_text.sql" %}{% endwith %}]{% endif %} AS members,
        count(*) AS n_rows
    FROM {{ release }} AS release
    GROUP BY ALL
),

member AS (
    SELECT unnest(members) AS value, CAST(n_rows / CAST(len(members) AS DOUBLE) AS DECIMAL(38, 6)) AS n_rows
    FROM shown
)

SELECT value COLLATE "binary" AS value, CAST(sum(n_rows) AS DOUBLE) AS n_rows
FROM member
GROUP BY ALL
ORDER BY n_rows DESC, value ASC NULLS FIRST;
