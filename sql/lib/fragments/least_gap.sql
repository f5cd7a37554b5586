{#- lib/fragments/least_gap.sql: the least distance between two values of a dictionary, in steps; 1 where it has
fewer than two. Wants: table. -#}
coalesce((
    SELECT min(above.n_steps - above.n_below)
    FROM (
        SELECT n_steps, lag(n_steps) OVER (ORDER BY n_steps ASC) AS n_below
        FROM {{ table | ident }}
        WHERE n_steps IS NOT NULL
    ) AS above
    WHERE above.n_steps > above.n_below
), 1)
