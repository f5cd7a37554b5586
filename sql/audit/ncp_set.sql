-- audit/ncp_set.sql: the mean certainty penalty of a column of sets.
--
-- in:      ppdt_class (n_rows, g<i>)
-- out:     ppdt_ncp (ncp)
--          one row
-- params:  $n_values
-- keeps:   a single value costs 0, a set its share of the attribute's values, a suppressed cell 1
WITH shown AS (
    SELECT
        {%+ if is_text %}from_json(release.{{ column | ident }}, '["VARCHAR"]'){% else %}release.{{ column | ident }}{% endif %} AS members,
        CAST(sum(release.n_rows) AS BIGINT) AS n_rows
    FROM ppdt_class AS release
    GROUP BY ALL
),

member AS (
    SELECT DISTINCT unnest(members) AS value
    FROM shown
),

axis AS (
    SELECT coalesce($n_values, count(*)) AS n_values
    FROM member
)

SELECT CAST(sum(CAST(shown.n_rows * CASE
    WHEN shown.members IS NULL THEN 1
    WHEN array_length(shown.members) <= 1 THEN 0
    ELSE round(array_length(shown.members) / CAST(axis.n_values AS DOUBLE), 12)
    END AS DECIMAL(38, 12))) AS DOUBLE) / sum(shown.n_rows) AS ncp
FROM shown
CROSS JOIN axis;
