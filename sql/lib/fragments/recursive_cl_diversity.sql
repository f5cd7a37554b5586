{#- lib/fragments/recursive_cl_diversity.sql: whether the most frequent value is rarer than $recursive_c times the values
from the l-th on. Machanavajjhala 2007. Wants: guard; reads n_rows of each value, n_side. -#}
count(*) >= {{ guard.recursive[1] | literal }}
        AND round(max(n_rows) / CAST(nullif(
            any_value(n_side) - list_sum(max(n_rows, {{ (guard.recursive[1] - 1) | literal }})), 0
        ) AS DOUBLE), 12) < round(CAST($recursive_c AS DOUBLE), 12)
{#- -#}
