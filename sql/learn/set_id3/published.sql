-- learn/set_id3/published.sql: how often each value of some columns occurs, of those that may be told.
--
-- in:      the source
-- out:     ppdt_published (place, shown, n_rows)
--          one row per column and value that is told
-- params:  $k
-- keeps:   a value is told where k rows hold it; what is not told has k rows or more together, or none, since
--          whoever knows the number of rows knows theirs: if the rare values are fewer, the next ones stay untold
-- paper:   Shao, Beckford, section IV B
WITH counted AS (
{% for attribute in attributes %}
    SELECT
        CAST({{ attribute.position | literal }} AS INTEGER) AS place,
        CAST({% with table = "source" %}{% include "lib/fragments/comparable.sql" %}{% endwith %} AS VARCHAR) COLLATE "binary" AS shown,
        count(*) AS n_rows
    FROM {{ source }} AS source
    GROUP BY ALL
{% if not loop.last %}
    UNION ALL
{% endif %}
{% endfor %}
),

running AS (
    SELECT
        place,
        shown,
        n_rows,
        CAST(sum(n_rows) OVER (
            PARTITION BY place ORDER BY n_rows ASC, shown ASC NULLS FIRST
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS BIGINT) - n_rows AS n_rows_before
    FROM counted
)

SELECT place, shown, n_rows
FROM running
WHERE n_rows >= $k AND (n_rows_before = 0 OR n_rows_before >= $k)
ORDER BY place ASC, n_rows DESC, shown ASC NULLS FIRST;
