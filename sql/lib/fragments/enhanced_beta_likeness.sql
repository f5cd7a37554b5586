{#- lib/fragments/enhanced_beta_likeness.sql: beta-likeness that bounds frequent values, too: by the logarithm of their
share in the table. Cao and Karras 2012. Wants: nothing; reads n_rows and n_whole of each value, n_side, n_total. -#}
bool_and(
            round(CAST(n_rows AS DOUBLE) * n_total / (CAST(n_side AS DOUBLE) * n_whole) - 1, 12)
            <= least(round(CAST($enhanced_beta AS DOUBLE), 12), round(-ln(CAST(n_whole AS DOUBLE) / n_total), 12))
        )
{#- -#}
