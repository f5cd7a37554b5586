-- tools/report/member_before.sql: how many rows of the original have each value that the release shows.
--
-- in:      the original; ppdt_report_member (value)
-- out:     ppdt_member_before (value, n_rows)
--          one row per value
WITH counted AS (
    SELECT {% with text = ("original", column) | ident %}{% include "lib/fragments/utc_text.sql" %}{% endwith %} COLLATE "binary" AS value, count(*) AS n_rows
    FROM {{ original }} AS original
    GROUP BY ALL
)

SELECT member.value, CAST(coalesce(counted.n_rows, 0) AS BIGINT) AS n_rows
FROM ppdt_report_member AS member
LEFT JOIN counted ON counted.value IS NOT DISTINCT FROM member.value;
