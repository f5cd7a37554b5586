-- learn/set_id3/listed.sql: the distinct sets of a column, with their members and what each is worth in a draw.
--
-- in:      ppdt_conversion (shown, code, weight)
-- out:     ppdt_listed_<i> (code, shown, members, bounds)
--          one row per distinct set as it is shown; code is the same for equal sets
-- keeps:   bounds are the running sums of the weights: a draw below the first takes the first member
WITH summed AS (
    SELECT
        shown,
        code,
        CAST(sum(weight) OVER (PARTITION BY shown ORDER BY code ASC) AS BIGINT) AS bound
    FROM ppdt_conversion
),

listed AS (
    SELECT
        shown,
        list(code ORDER BY code ASC) AS members,
        list(bound ORDER BY code ASC) AS bounds
    FROM summed
    GROUP BY shown
)

SELECT
    CAST(dense_rank() OVER (ORDER BY members ASC) - 1 AS INTEGER) AS code,
    shown,
    members,
    bounds
FROM listed;
