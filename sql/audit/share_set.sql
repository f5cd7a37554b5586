-- audit/share_set.sql: how much of an attribute each of its labels covers, where they are sets.
--
-- in:      ppdt_class (n_rows, g<i>); ppdt_domain_<i> (n_values)
-- out:     ppdt_share_<i> (words, high_words, n_rows, share, is_missing)
--          one row per label; words is its text
-- keeps:   a single value covers 0, a set its share of the attribute's values, of the original's where there
--          is one; an empty cell covers all
WITH shown AS (
    SELECT
        {%+ if is_text %}from_json(release.{{ column | ident }}, '["VARCHAR"]'){% else %}release.{{ column | ident }}{% endif %} AS members,
        CAST(release.{{ column | ident }} AS VARCHAR) AS words,
        CAST(sum(release.n_rows) AS BIGINT) AS n_rows
    FROM ppdt_class AS release
    GROUP BY ALL
),

member AS (
    SELECT DISTINCT unnest(members) AS value
    FROM shown
),

axis AS (
    SELECT coalesce(max(domain.n_values), (SELECT count(*) FROM member)) AS n_values
    FROM {{ domain | ident }} AS domain
)

SELECT
    shown.words,
    CAST(NULL AS VARCHAR) AS high_words,
    shown.n_rows,
    CASE
        WHEN shown.members IS NULL THEN 1
        WHEN array_length(shown.members) <= 1 THEN 0
        ELSE round(array_length(shown.members) / CAST(axis.n_values AS DOUBLE), 12)
    END AS share,
    FALSE AS is_missing
FROM shown
CROSS JOIN axis;
