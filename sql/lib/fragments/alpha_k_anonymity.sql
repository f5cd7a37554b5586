{#- lib/fragments/alpha_k_anonymity.sql: whether no value has more than a share of $alpha. Wong 2006. Wants: nothing;
reads n_rows of each value, n_side. -#}
round(max(n_rows) / CAST(any_value(n_side) AS DOUBLE), 12) <= round(CAST($alpha AS DOUBLE), 12)
{#- -#}
