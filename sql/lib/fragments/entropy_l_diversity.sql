{#- lib/fragments/entropy_l_diversity.sql: whether the sensitive values of a side are as many, by their entropy, as
$entropy asks. Machanavajjhala 2007. Wants: nothing; reads n_rows of each value, n_side. -#}
round(exp(
            ln(any_value(n_side))
            - CAST(sum(CAST(n_rows * ln(n_rows) AS DECIMAL(38, 12))) AS DOUBLE) / any_value(n_side)
        ), 12) >= round(CAST($entropy AS DOUBLE), 12)
{#- -#}
