{#- lib/fragments/beta_likeness.sql: whether no value is by more than $beta likelier on a side than in the table. Cao and
Karras 2012. Wants: nothing; reads n_rows and n_whole of each value, n_side, n_total. -#}
round(max(CAST(n_rows AS DOUBLE) * n_total / (CAST(n_side AS DOUBLE) * n_whole)) - 1, 12) <= round(CAST($beta AS DOUBLE), 12)
{#- -#}
