{#- lib/fragments/delta_disclosure.sql: whether every value of the table occurs on a side, and is there less than e^$delta
times likelier or less likely. Brickell and Shmatikov 2008. Wants: nothing; reads n_rows and n_whole of each value, n_side,
n_total, n_values. -#}
count(*) = any_value(n_values)
        AND round(max(abs(ln(
            CAST(n_rows AS DOUBLE) * n_total / (CAST(n_side AS DOUBLE) * n_whole)
        ))), 12) < round(CAST($delta AS DOUBLE), 12)
{#- -#}
