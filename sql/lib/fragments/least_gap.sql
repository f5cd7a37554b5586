{#- lib/fragments/least_gap.sql: the least distance between two values of a dictionary, in steps; 1 where it has
fewer than two. Values that the steps of a scaled attribute do not tell apart are one step apart. Wants: table. -#}
coalesce((
    SELECT min(greatest(above.n_steps - above.n_below, 1))
    FROM (
        SELECT n_steps, lag(n_steps) OVER (ORDER BY n_steps ASC) AS n_below
        FROM {{ table | ident }}
        WHERE n_steps IS NOT NULL
    ) AS above
    WHERE above.n_below IS NOT NULL
), 1)
